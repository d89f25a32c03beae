// A test may load a single file of a noun. The kinds of ids are defined before, as they are in the program.

import "#nouns.ts";
