import type { Client } from '../client/index.ts';
import { invalid } from '../common/errors.ts';
import { findServer } from '../server/found-server.ts';
import { type Named, shortName } from './names.ts';
import { type Command, command, dataDirOf, type Entry } from './source.ts';
import { computesOf, linksOf, nodesOf, projectsOf } from './lab/things.ts';

const HELP = `topolog completion bash|zsh|fish

Prints what makes the shell complete commands, flags and the names of projects, nodes and links. For one shell:

  source <(topolog completion bash)      in ~/.bashrc
  source <(topolog completion zsh)       in ~/.zshrc, behind compinit
  topolog completion fish | source       in ~/.config/fish/config.fish
`;

/** Each asks `topolog completion -- WORDS` and offers files where that has nothing. */
/** Milliseconds: somebody waits at the terminal. */
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
complete -c topolog -n '__fish_seen_subcommand_from apply load verify replay' -F
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
    if (script === undefined || words.length > 0) throw invalid('topolog completion takes bash, zsh or fish');
    process.stdout.write(script);
    return 0;
  });

/** What can stand in place of the last word. */
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
  const { verbs, takes } = takenBy(entry, before);
  if (verbs.length > 0) return verbs;
  const at = before.indexOf('--data-dir');
  const server = await findServer(dataDirOf(at < 0 ? undefined : before[at + 1]), ANSWER_MS).catch(() => null);
  if (server === null || before.at(-1) === '--data-dir') return [];
  return [...(await namesFor(server.client, takes)), ...(before.at(-1) === '--to' ? ['auto'] : [])];
};

/** What comes next: a verb (`add|rm`), or what the words of the usage say. */
const takenBy = ({ takes }: Entry, before: readonly string[]): { verbs: string[]; takes: string } => {
  if (OF_COMPUTES.has(before.at(-1) ?? '')) return { verbs: [], takes: 'COMPUTE' };
  const [verbs = '', ...names] = takes.split(' ');
  if (!/^[a-z|]+$/.test(verbs)) return { verbs: [], takes };
  return before.length > 0 && names.length > 0
    ? { verbs: [], takes: names.join(' ') }
    : { verbs: verbs.split('|'), takes };
};

/** Flags before the name of a compute. */
const OF_COMPUTES: ReadonlySet<string> = new Set(['--to', '--compute']);

/** By the words of a command's usage. */
const namesFor = async (client: Client, takes: string): Promise<string[]> => {
  const things: Named[] = [
    ...(takes.includes('PROJECT') ? await projectsOf(client) : []),
    ...(takes.includes('NODE') ? await nodesOf(client) : []),
    ...(takes.includes('LINK') ? await linksOf(client) : []),
    ...(takes.includes('COMPUTE') ? await computesOf(client) : []),
  ];
  return things.map((thing) => shortName(things, thing));
};
