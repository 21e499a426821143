import type { Argument, Command, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** The script by which a shell completes the commands, options and files of `program`. */
export function completion(program: Command, shell: Shell): string {
  const commands = commandsOf(program, []);
  return { bash, zsh, fish }[shell](program.name(), commands);
}

/** The kind of a value, as far as a shell can complete it. */
type Value = 'file' | 'folder' | 'other' | readonly string[];

interface OptionLine {
  /** The short and the long form, such as `-h` and `--help`, where they exist. */
  readonly flags: readonly string[];
  /** As `--help` writes it: `--data <folder>`. */
  readonly usage: string;
  readonly about: string;
  /** Undefined for a switch. */
  readonly value: Value | undefined;
}

interface CommandLine {
  /** Below the program: `[]`, `['keys']`, `['keys', 'create']`. */
  readonly path: readonly string[];
  /** Its arguments as `--help` writes them: `[url...]`. */
  readonly usage: string;
  readonly about: string;
  readonly args: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly OptionLine[];
  readonly subcommands: readonly { readonly name: string; readonly about: string }[];
  /** The kind of its first argument. */
  readonly argument: Value;
}

/** A command and all below it, as `--help` lists them. */
export function commandsOf(command: Command, path: readonly string[]): CommandLine[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].filter(
    // `--version` belongs to the program only.
    ({ long }) => path.length === 0 || long !== '--version',
  );
  const below = help.visibleCommands(command);
  const [first] = command.registeredArguments;
  return [
    {
      path,
      usage: command.registeredArguments.map(argumentUsage).join(' '),
      about: command.description(),
      args: command.registeredArguments.map((one) => ({ name: one.name(), about: one.description })),
      options: options.map(optionLine),
      subcommands: below.map((one) => ({ name: one.name(), about: one.description() })),
      argument: first === undefined ? 'other' : kindOf(first, first.name()),
    },
    ...below.filter((one) => one.name() !== 'help').flatMap((one) => commandsOf(one, [...path, one.name()])),
  ];
}

function argumentUsage(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionLine(option: Option): OptionLine {
  const { short, long, flags } = option;
  const [, placeholder] = /[<[]([^\]>]+)[\]>]/.exec(flags) ?? [];
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    usage: flags,
    about: withDefault(option),
    value: placeholder === undefined ? undefined : kindOf(option, placeholder),
  };
}

/** The description of an option in `--help`. */
function withDefault({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${defaultValue})`;
}

function kindOf({ argChoices }: Option | Argument, placeholder: string): Value {
  if (argChoices) return argChoices;
  if (placeholder === 'folder') return 'folder';
  return /\b(?:file|path)\b/.test(placeholder) ? 'file' : 'other';
}

function bash(name: string, commands: readonly CommandLine[]): string {
  const set = (value: Value): string =>
    value === 'folder'
      ? 'kind=d'
      : value === 'file'
        ? 'kind=f'
        : value === 'other'
          ? ':'
          : `words='${value.join(' ')}'`;
  const cases = commands.map(({ path, options, subcommands, argument }) => {
    const values = options.flatMap((option) =>
      option.value === undefined ? [] : [`        ${option.flags.join('|')}) ${set(option.value)} ;;`],
    );
    const flags = options.flatMap((option) => option.flags).join(' ');
    const words = subcommands.length > 0 ? set(subcommands.map((one) => one.name)) : set(argument);
    return [
      `    '${path.join(' ')}')`,
      '      case $before in',
      ...values,
      `        *) if [[ $word == -* ]]; then words='${flags}'; else ${words}; fi ;;`,
      '      esac ;;',
    ].join('\n');
  });
  const paths = commands.map(({ path }) => `'${path.join(' ')}'`).filter((path) => path !== "''");
  const withValue = commands.flatMap(({ options }) =>
    options.flatMap(({ flags, value }) => (value === undefined ? [] : flags)),
  );
  return `# bash completion of ${name}: eval "$(${name} completion bash)"
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= next index skip= kind= words=
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ $skip ]]; then skip=; continue; fi
    case \${COMP_WORDS[index]} in
      ${[...new Set(withValue)].join('|')}) skip=1; continue ;;
    esac
    next="\${command:+$command }\${COMP_WORDS[index]}"
    case $next in
      ${paths.join('|')}) command=$next ;;
    esac
  done
  case $command in
${cases.join('\n')}
  esac
  if [[ $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif [[ $kind ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "-$kind" -- "$word"))
  else
    COMPREPLY=()
  fi
}
complete -F _${name} ${name}
`;
}

function zsh(name: string, commands: readonly CommandLine[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const plain = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
  const action = (value: Value): string =>
    value === 'folder'
      ? '_files -/'
      : value === 'file'
        ? '_files'
        : value === 'other'
          ? ' '
          : `(${value.join(' ')})`;
  const functionOf = (path: readonly string[]): string => `_${[name, ...path].join('_')}`;
  const functions = commands.map(({ path, options, subcommands, argument }) => {
    const specs = options.flatMap(({ flags, about, value }) =>
      flags.map((flag) =>
        quoted(`*${flag}[${plain(about)}]${value === undefined ? '' : `:value:${action(value)}`}`),
      ),
    );
    if (subcommands.length === 0) {
      const all = [...specs, quoted(`*:argument:${action(argument)}`)];
      return `${functionOf(path)}() {\n  _arguments -S \\\n    ${all.join(' \\\n    ')}\n}`;
    }
    const names = subcommands.map((one) => quoted(`${plain(one.name)}:${one.about}`));
    const next = subcommands
      .filter((one) => one.name !== 'help')
      .map((one) => `        ${one.name}) ${functionOf([...path, one.name])} ;;`);
    return `${functionOf(path)}() {
  local state line
  local -a commands=(
    ${names.join('\n    ')}
  )
  _arguments -C \\
    ${[...specs, "'1:command:->command'", "'*::argument:->argument'"].join(' \\\n    ')}
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${next.join('\n')}
      esac ;;
  esac
}`;
  });
  return `#compdef ${name}
# zsh completion of ${name}, after compinit: eval "$(${name} completion zsh)"
${functions.join('\n\n')}

compdef _${name} ${name}
`;
}

function fish(name: string, commands: readonly CommandLine[]): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const values = (value: Value): string =>
    value === 'folder'
      ? " -x -a '(__fish_complete_directories)'"
      : value === 'file'
        ? ' -r -F'
        : value === 'other'
          ? ' -x'
          : ` -x -a ${quoted(value.join(' '))}`;
  const lines = commands.flatMap(({ path, options, subcommands, argument }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const below = subcommands.map((one) => one.name).join(' ');
    const here = [...seen, ...(below === '' ? [] : [`not __fish_seen_subcommand_from ${below}`])];
    const start = `complete -c ${name}${here.length > 0 ? ` -n ${quoted(here.join('; and '))}` : ''}`;
    return [
      ...subcommands.map((one) => `${start} -f -a ${quoted(one.name)} -d ${quoted(one.about)}`),
      ...(subcommands.length === 0 && argument !== 'file'
        ? [`${start} -f${Array.isArray(argument) ? ` -a ${quoted(argument.join(' '))}` : ''}`]
        : []),
      ...options.map(({ flags, about, value }) => {
        const named = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        return `${start} ${named.join(' ')}${value === undefined ? '' : values(value)} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# fish completion of ${name}: ${name} completion fish | source\n${lines.join('\n')}\n`;
}
