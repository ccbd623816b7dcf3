import type { Client } from '../client/index.ts';
import { findServer } from '../server/found-server.ts';
import { type Named, shortName } from './names.ts';
import { type Command, command, dataDirOf, type Entry, wrongUsage } from './command.ts';
import { FILTER_DESCRIPTIONS } from '../fabric/filters/filters.ts';
import { sourcesOf } from './node/add.ts';
import { imagesOf } from './server/images.ts';
import { snapshotNames } from './lab/snapshots.ts';
import { templatesOf } from './server/templates.ts';
import { computesOf, linksOf, nodesOf, projectsOf } from './objects.ts';

const HELP = `topolog completion bash|zsh|fish

Prints what makes the shell complete commands, flags and the names of projects, nodes and links. For one shell:

  source <(topolog completion bash)      in ~/.bashrc
  source <(topolog completion zsh)       in ~/.zshrc, behind compinit
  topolog completion fish | source       in ~/.config/fish/config.fish
`;

/** Longest wait for the server, as a user waits at the terminal. Milliseconds. */
const ANSWER_MS = 2_000;

const SHELLS: Readonly<Record<string, string>> = {
  bash: `_topolog() {
  local found
  COMPREPLY=()
  while IFS= read -r found; do
    COMPREPLY+=("$(printf %q "$found")")
  done < <(topolog completion -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _topolog topolog
`,
  zsh: `_topolog() {
  local -a found
  found=("\${(@f)$(topolog completion -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found[1]" ]]; then compadd -a found; else _files; fi
}
compdef _topolog topolog
`,
  fish: `function __topolog
  set -l words (commandline -opc) (commandline -ct)
  topolog completion -- $words[2..] 2>/dev/null
end
complete -c topolog -f -a '(__topolog)'
complete -c topolog -n '__fish_seen_subcommand_from apply import images load replay test verify' -F
`,
};

/** `topolog completion` */
export const completionCommand = (commands: readonly Entry[]): Command =>
  command(HELP, async ([shell = '', ...words]) => {
    if (shell === '--') {
      process.stdout.write((await completions(commands, words)).map((word) => `${word}\n`).join(''));
      return 0;
    }
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (script === undefined || words.length > 0) throw wrongUsage('completion bash|zsh|fish');
    process.stdout.write(script);
    return 0;
  });

/** Candidates for the last word. */
const completions = async (commands: readonly Entry[], words: readonly string[]): Promise<string[]> => {
  const [name = '', ...before] = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const all =
    words.length < 2 || name === 'help'
      ? [...commands.map((entry) => entry.name), 'help']
      : await ofCommand(
          commands.find((entry) => entry.name === name),
          before,
          current,
        );
  return all.filter((word) => word.startsWith(current) && !/[\n\r]/.test(word));
};

const ofCommand = async (entry: Entry | undefined, before: readonly string[], current: string): Promise<string[]> => {
  if (entry === undefined) return [];
  if (current.startsWith('-')) return [...new Set((await entry.load()).help.match(/--[a-z][a-z0-9-]*/g) ?? [])];
  const { verbs, takes, project } = takenBy(entry, before);
  const at = before.indexOf('--data-dir');
  const server =
    takes === '' ? null : await findServer(dataDirOf(at < 0 ? undefined : before[at + 1]), ANSWER_MS).catch(() => null);
  if (server === null || before.at(-1) === '--data-dir') return verbs;
  const more = before.at(-1) === '--to' || before.at(-1) === '--compute' ? ['auto'] : [];
  return [...verbs, ...(await namesFor(server.client, takes, project)), ...more];
};

interface Taken {
  /** Verbs of the command: `add|rm`. */
  verbs: string[];
  /** Words of the usage that may follow: `NODE|LINK`. */
  takes: string;
  /** Project that was named before. */
  project: string;
}

/** Flags that take the name of a compute. */
const OF_COMPUTES: ReadonlySet<string> = new Set(['--to', '--compute']);

/** Finds the next argument by the usage of the command: a word for each one, in brackets if it is optional. */
const takenBy = ({ takes }: Entry, before: readonly string[]): Taken => {
  if (OF_COMPUTES.has(before.at(-1) ?? '')) return { verbs: [], takes: 'COMPUTE', project: '' };
  const words = takes.split(' ');
  const verbs = verbsIn(words[0] ?? '');
  const rest = verbs.length > 0 ? words.slice(1) : words;
  const given = before.filter((word, i) => !word.startsWith('-') && before[i - 1] !== '--data-dir');
  const first = given[0] ?? '';
  if (verbs.length > 0 && given.length === 0) {
    const isOptional = words[0]?.startsWith('[') === true;
    return { verbs, takes: isOptional ? nextOf(rest, 0) : '', project: '' };
  }
  const args = verbs.includes(first) ? given.slice(1) : given;
  return { verbs: [], takes: nextOf(rest, args.length), project: args.at(-1) ?? '' };
};

/** Verbs in a word of the usage: those of `[ls|rm]` and `ls|rm`, none of `NODE|LINK`. */
const verbsIn = (word: string): string[] => (/^\[?[a-z|]+\]?$/.test(word) ? word.replace(/[[\]]/g, '').split('|') : []);

/** Words of the usage for an argument: optional ones, and the one behind them. */
const nextOf = (words: readonly string[], at: number): string => {
  const from = words.slice(at);
  if (from.length === 0) return words.at(-1)?.includes('...') === true ? (words.at(-1) ?? '') : '';
  const must = from.findIndex((word) => !word.startsWith('['));
  return from.slice(0, must < 0 ? from.length : must + 1).join(' ');
};

/** Names of objects by the words of a command's usage. */
const namesFor = async (client: Client, takes: string, project: string): Promise<string[]> => {
  const has = (word: string): boolean => takes.includes(word);
  const things: Named[] = [
    ...(has('PROJECT') ? await projectsOf(client) : []),
    ...(has('NODE') ? await nodesOf(client) : []),
    ...(has('LINK') ? await linksOf(client) : []),
    ...(has('COMPUTE') ? await computesOf(client) : []),
    ...(has('KIND') ? await sourcesOf(client) : []),
    ...(/(?<!\|)\bTEMPLATE/.test(takes) ? await templatesOf(client) : []),
    ...(has('IMAGE') ? await imagesOf(client) : []),
    ...(has('SNAPSHOT') ? await snapshotsAt(client, project) : []),
  ];
  const filters = has('FILTER') ? FILTER_DESCRIPTIONS.map(({ type }) => `${type}=`) : [];
  return [...things.map((thing) => shortName(things, thing)), ...filters];
};

const snapshotsAt = async (client: Client, project: string): Promise<Named[]> => {
  const found = (await projectsOf(client)).find(({ id, names }) => id === project || names[0] === project);
  return found === undefined ? [] : snapshotNames(client, found);
};
