import { wordsNear } from './names.ts';
import type { Command, Entry } from './command.ts';

const archives = () => import('./lab/archives.ts');
const checks = () => import('./check/checks.ts');
const computes = () => import('./server/computes.ts');
const lab = () => import('./lab/lab.ts');
const labText = () => import('./lab/apply.ts');
const links = () => import('./node/links.ts');
const nodes = () => import('./node/actions.ts');

const serve = async (): Promise<Command> => {
  const [{ serveCommand }, { SERVE_HELP }] = await Promise.all([import('./serve.ts'), import('../server/config.ts')]);
  return { help: SERVE_HELP, run: (args) => serveCommand(args) };
};

/** Loads a command by the name of its export. */
const from =
  <N extends string>(module: () => Promise<Record<N, Command>>, name: N) =>
  async (): Promise<Command> =>
    (await module())[name];

/** `also`: its names in other tools, separated by blanks. */
type Row = [name: string, takes: string, does: string, load: () => Promise<Command>, also?: string];

const GROUPS: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    'Server',
    [
      ['serve', '[flags]', 'run the server', serve, 'server'],
      [
        'status',
        '',
        'whether it runs and is well; engines, labs, computes',
        from(() => import('./server/status.ts'), 'statusCommand'),
        'info health version',
      ],
      [
        'doctor',
        '',
        'check the installation and list engines',
        from(() => import('./doctor.ts'), 'doctorCommand'),
        'engines',
      ],
      ['user', 'add|remove|list', 'users and their passwords', from(() => import('./server/user.ts'), 'userCommand')],
      [
        'completion',
        'bash|zsh|fish',
        'completion for your shell',
        async () => (await import('./completion.ts')).completionCommand(COMMANDS),
      ],
    ],
  ],
  [
    'Labs',
    [
      ['new', 'NAME', 'an empty lab', from(lab, 'newCommand'), 'create init'],
      ['ls', '[PROJECT]', 'projects, or the nodes and links of one', from(lab, 'lsCommand'), 'list ps projects nodes'],
      ['open', 'PROJECT', 'open a project', from(lab, 'openCommand')],
      ['close', 'PROJECT', 'close a project', from(lab, 'closeCommand')],
      ['rename', 'PROJECT|NODE NAME', 'another name', from(lab, 'renameCommand'), 'mv'],
      ['duplicate', 'PROJECT [NAME]', 'a copy of a project', from(archives, 'duplicateCommand'), 'copy cp clone'],
      ['fork', 'PROJECT NAME', 'a new project with the lab of one', from(lab, 'forkCommand')],
      ['rm', 'PROJECT|NODE...', 'delete projects and nodes', from(lab, 'rmCommand'), 'delete del remove'],
      ['apply', 'FILE', 'make a lab match a text', from(labText, 'applyCommand'), 'deploy up'],
      ['lint', 'FILE', 'find mistakes in a text', from(() => import('./lab/lint.ts'), 'lintCommand'), 'validate'],
      ['show', 'PROJECT', 'print a lab as text', from(labText, 'showCommand'), 'cat'],
      ['load', 'FILE', 'load a project file', from(lab, 'loadCommand')],
      ['import', 'FILE', 'a lab of an archive (.gns3project)', from(archives, 'importCommand')],
      ['export', 'PROJECT', 'a lab as an archive', from(archives, 'exportCommand'), 'save'],
      [
        'snapshot',
        '[ls|restore|rm] PROJECT [SNAPSHOT]',
        'keep a lab as it is, and go back to it',
        from(() => import('./lab/snapshots.ts'), 'snapshotCommand'),
        'snapshots restore',
      ],
    ],
  ],
  [
    'Nodes and links',
    [
      [
        'add',
        'PROJECT KIND|TEMPLATE [NAME]',
        'a node of a kind, or of a template',
        from(() => import('./node/add.ts'), 'addCommand'),
        'node',
      ],
      ['link', 'NODE[:PORT] NODE[:PORT]', 'link two nodes', from(links, 'linkCommand'), 'cable'],
      ['unlink', 'LINK|NODE [NODE]', 'delete a link', from(links, 'unlinkCommand'), 'disconnect'],
      [
        'filter',
        'LINK|NODE [NODE] [FILTER...]',
        'delay, loss and more on a link',
        from(links, 'filterCommand'),
        'filters impair netem tc',
      ],
      ['start', 'PROJECT|NODE...', 'start nodes', from(nodes, 'startCommand'), 'boot run'],
      ['stop', 'PROJECT|NODE...|--all', 'stop nodes', from(nodes, 'stopCommand'), 'halt kill'],
      ['restart', 'PROJECT|NODE...', 'stop and start nodes', from(nodes, 'restartCommand'), 'reload reboot reset'],
      ['suspend', 'PROJECT|NODE...', 'suspend nodes', from(nodes, 'suspendCommand'), 'pause'],
      ['resume', 'PROJECT|NODE...', 'let suspended nodes go on', from(nodes, 'resumeCommand'), 'unpause continue'],
      ['wait', 'PROJECT [NODE...]', 'wait until nodes run, or checks are met', from(nodes, 'waitCommand')],
      ['move', 'PROJECT|NODE...', 'put nodes on another compute', from(computes, 'moveCommand')],
    ],
  ],
  [
    'Consoles and packets',
    [
      [
        'console',
        'NODE',
        'a console at this terminal',
        from(() => import('./console/console.ts'), 'consoleCommand'),
        'telnet attach',
      ],
      [
        'exec',
        'NODE COMMAND',
        'what a command prints at a console',
        from(() => import('./console/exec.ts'), 'execCommand'),
      ],
      ['consoles', '[PROJECT]', 'where the consoles are: node, type, host, port', from(lab, 'consolesCommand')],
      [
        'capture',
        'LINK',
        'the packets of a link, as pcap',
        from(() => import('./console/capture.ts'), 'captureCommand'),
        'tcpdump tshark sniff',
      ],
      [
        'collect',
        '[PROJECT] [NODE...]',
        'keep versions of configurations',
        from(() => import('./lab/collect.ts'), 'collectCommand'),
      ],
      [
        'weather',
        'ls|start|pause|resume|skip|end PROJECT',
        'what happens to a lab, and when',
        from(() => import('./lab/weather.ts'), 'weatherCommand'),
      ],
    ],
  ],
  [
    'Checks, causes and proofs',
    [
      ['test', 'FILE', 'run the checks of a lab', from(() => import('./check/test.ts'), 'testCommand')],
      ['checks', 'PROJECT', 'results of its checks', from(checks, 'checksCommand'), 'check'],
      ['results', 'PROJECT [PROJECT...]', 'stages of a lab and its copies', from(checks, 'resultsCommand')],
      [
        'why',
        'NODE NODE|ADDRESS',
        'why it is not reached, and since when',
        from(() => import('./check/why.ts'), 'whyCommand'),
        'ping trace traceroute',
      ],
      [
        'log',
        'PROJECT',
        'its changes: when, who, what',
        from(() => import('./log/log.ts'), 'logCommand'),
        'logs history',
      ],
      [
        'bisect',
        'FILE|PROJECT --expect …',
        'the first event after which it fails',
        from(() => import('./replay/bisect.ts'), 'bisectCommand'),
      ],
      [
        'replay',
        'FILE|PROJECT',
        'replay a session and compare',
        from(() => import('./replay/replay.ts'), 'replayCommand'),
      ],
      [
        'export-session',
        'PROJECT',
        'a signed session file',
        from(() => import('./verify/export-session.ts'), 'exportSessionCommand'),
        'session',
      ],
      [
        'verify',
        '[FILE]',
        'check the log, or a session file',
        from(() => import('./verify/verify.ts'), 'verifyCommand'),
      ],
    ],
  ],
  [
    'Images and templates',
    [
      [
        'images',
        'ls|add|rm [IMAGE]',
        'images of nodes',
        from(() => import('./server/images.ts'), 'imagesCommand'),
        'image upload',
      ],
      [
        'templates',
        'ls|show|rm [TEMPLATE]',
        'what nodes can be made of',
        from(() => import('./server/templates.ts'), 'templatesCommand'),
        'template appliances',
      ],
    ],
  ],
  [
    'Machines and the log',
    [
      ['computes', '', 'machines that run nodes', from(computes, 'computesCommand')],
      [
        'compute',
        'add|connect|drain|rm COMPUTE',
        'add, connect, drain or remove one',
        from(computes, 'computeCommand'),
      ],
      [
        'handover',
        '',
        'let another server of the cell write',
        from(() => import('./server/handover.ts'), 'handoverCommand'),
      ],
      [
        'copy-log',
        '--from PLACE --to PLACE',
        'a log into a database, or back',
        from(() => import('./log/copy-log.ts'), 'copyLogCommand'),
      ],
      ['rebuild', '', 'fold the whole log again and compare', from(() => import('./log/rebuild.ts'), 'rebuildCommand')],
      ['repair', '', 'salvage a damaged log', from(() => import('./log/repair.ts'), 'repairCommand')],
    ],
  ],
];

const entryOf = ([name, takes, does, load, also = '']: Row): Entry => ({
  name,
  takes,
  does,
  load,
  also: also.split(' '),
});

export const COMMANDS: readonly Entry[] = GROUPS.flatMap(([, rows]) => rows.map(entryOf));

const groupText = ([title, rows]: (typeof GROUPS)[number]): string =>
  `${title}\n${rows.map(([name, takes, does]) => `  topolog ${`${name} ${takes}`.padEnd(46)}  ${does}\n`).join('')}`;

export const HELP = `topolog: an event-sourced network-lab server

${GROUPS.map(groupText).join('\n')}
topolog help COMMAND tells more of each; topolog --version tells the version.
`;

export const commandNamed = (name: string): Entry | undefined => COMMANDS.find((entry) => entry.name === name);

/** Commands like an unknown word: its name in another tool, with a typo, or cut short. */
export const commandsNear = (word: string): string[] => {
  const names = COMMANDS.map(({ name }) => name);
  const low = word.toLowerCase();
  const same = COMMANDS.filter(({ also }) => also.includes(low)).map(({ name }) => name);
  return [...same, ...wordsNear(word, names)];
};
