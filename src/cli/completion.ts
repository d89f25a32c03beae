// `duka completion`: scripts that let a shell complete commands, options and their values. The scripts ask
// this program at each Tab, so that they know what its version knows.

import { Argument, type Command, Option } from "commander";

import { print } from "#platform/process/output.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** Each passes the line up to the cursor, and gets lines of a word, a tab and its meaning. */
const scripts: Readonly<Record<Shell, string>> = {
  // Bash replaces what follows the last colon, since a colon ends a word of its own.
  bash: `# eval "$(duka completion bash)"
_duka() {
  local line=\${COMP_LINE:0:COMP_POINT} IFS=$'\\n'
  local word=\${line##*[[:space:]]}
  COMPREPLY=($("$1" complete "$line" 2>/dev/null | cut -f 1))
  [[ $word != *:* ]] || COMPREPLY=("\${COMPREPLY[@]#"\${word%:*}":}")
}
complete -o default -F _duka duka`,
  zsh: `#compdef duka
# eval "$(duka completion zsh)"
_duka() {
  local -a lines names shown
  lines=("\${(@f)$("\${words[1]}" complete "$LBUFFER" 2>/dev/null)}")
  [[ -n $lines ]] || { _files; return }
  names=("\${(@)lines%%$'\\t'*}")
  shown=("\${(@)lines//$'\\t'/  }")
  compadd -l -d shown -a names
}
compdef _duka duka`,
  fish: `# duka completion fish | source
complete -c duka -a '(duka complete (commandline -cp) 2>/dev/null)'`,
};

interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** Adds `duka completion`, and the hidden command that its scripts run. */
export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "shell that runs the script").choices(shells))
    .action((shell: Shell) => {
      print(scripts[shell]);
    });
  program
    .command("complete", { hidden: true })
    .argument("<line>")
    .action((line: string) => {
      for (const { word, meaning } of candidates(program, line)) print(`${word}\t${meaning}`);
    });
}

/** Lets shells complete these values of an option or argument, which also takes others. */
export function withValues<T extends Option | Argument>(taker: T, values: readonly string[]): T {
  taker.argChoices = [...values];
  return taker;
}

/** The words that may stand at the end of the line, which begins with the name of the program. */
function candidates(program: Command, line: string): Candidate[] {
  const words = line.trimStart().split(/\s+/).slice(1);
  const begun = words.pop() ?? "";
  let command = program;
  let valued: Option | undefined;
  for (const word of words) {
    const below = command.commands.find((known) => known.name() === word);
    if (valued !== undefined) valued = undefined;
    else if (below !== undefined) command = below;
    else
      valued = optionsOf(command).find(
        (option) => takesValue(option) && flagsOf(option).includes(word),
      );
  }
  const possible = valued === undefined ? wordsOf(command, begun) : valuesOf(valued);
  return possible.filter(({ word }) => word.startsWith(begun));
}

function wordsOf(command: Command, begun: string): Candidate[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((below) => ({
    word: below.name(),
    meaning: below.description(),
  }));
  const values = command.registeredArguments.flatMap(valuesOf);
  if (!begun.startsWith("-") && commands.length + values.length > 0)
    return [...commands, ...values];
  return optionsOf(command).map((option) => ({
    word: option.long ?? option.flags,
    meaning: option.description,
  }));
}

function valuesOf({ argChoices = [] }: Option | Argument): Candidate[] {
  return argChoices.map((word) => ({ word, meaning: "" }));
}

function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function flagsOf({ short, long }: Option): (string | undefined)[] {
  return [short, long];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}
