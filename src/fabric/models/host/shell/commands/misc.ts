import { isNumber, type Command } from '../command.ts';

export const echoCommand: Command = {
  name: 'echo',
  usage: '<text>',
  summary: 'Show a text',
  help: '\necho <text>\n  Shows the text.\n',
  run: (context, args) => context.print(`${args.join(' ')}\n`),
};

export const sleepCommand: Command = {
  name: 'sleep',
  usage: '<seconds> [text]',
  summary: 'Show a text and wait, in a script',
  help: `
sleep [<seconds>] [text]
  Shows the text and waits that long; without a time, or with 0, until a key is pressed.
`,
  async run(context, args) {
    const [first] = args;
    const seconds = isNumber(first) ? Number(first) : 0;
    const text = (isNumber(first) ? args.slice(1) : args).join(' ');
    if (args.length === 0) context.print('Press any key to continue\n');
    else if (text !== '') context.print(`${text}\n`);
    if (seconds === 0) await context.anyKey();
    else await context.pause(Math.min(seconds, MAX_SLEEP_S) * 1000);
  },
};

/** A timer's delay has 31 bits of milliseconds. */
const MAX_SLEEP_S = 2_147_483;

export const quitCommand: Command = {
  name: 'quit',
  usage: '',
  summary: 'Stop this node',
  help: '\nquit\n  Stops this node, as VPCS ends its program. To leave only the console, close its window.\n',
  run(context) {
    context.print('\n');
    context.exit('"quit" was typed on the console');
  },
};

export const disconnectCommand: Command = {
  name: 'disconnect',
  usage: '',
  summary: 'Says how to leave the console',
  help: '\ndisconnect\n  The console is shared by all who look at it: close your window to leave it.\n',
  run: (context) => context.print('Close the window to leave the console. This node stays on; quit stops it.\n'),
};

const absent = (name: string, usage: string, reason: string): Command => ({
  name,
  usage,
  summary: 'Not supported by this PC',
  help: `\n${name} ${usage}\n  ${reason}\n`,
  run: (context) => context.print(`${reason}\n`),
});

export const relayCommand = absent(
  'relay',
  '[arguments]',
  'Relays are not supported by this PC: its links are drawn in the lab.',
);
export const rloginCommand = absent(
  'rlogin',
  '[<ip>] <port>',
  'Remote login is not supported by this PC: open the console of the other node.',
);

export const historyCommand: Command = {
  name: 'history',
  usage: '',
  summary: 'Shortcut for: show history. List the commands typed',
  help: '\nhistory\n  Lists the commands typed, like show history.\n',
  run: (context) =>
    context.print(
      context
        .history()
        .map((line) => `${line}\n`)
        .join(''),
    ),
};

export const versionCommand: Command = {
  name: 'version',
  usage: '',
  summary: 'Shortcut for: show version',
  help: '\nversion\n  Shows the version, like show version.\n',
  run: (context) => context.print(`\n${context.kind.title(context.version)}\n`),
};
