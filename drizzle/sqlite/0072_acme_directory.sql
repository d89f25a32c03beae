-- expand
ALTER TABLE `certificates` ADD `directory` text;