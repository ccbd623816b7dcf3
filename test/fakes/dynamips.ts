/**
 * A stand-in for the program `dynamips` in hypervisor mode, written from its README.hypervisor: commands with their numbers of
 * arguments, objects that must be there first, replies in its words, files named as it names them, consoles over telnet and NIOs
 * over UDP. It emulates no router: what boots is a prompt that knows a few commands, and a host that answers ARP and ping at the
 * `ip address` of the startup configuration, at any Ethernet port.
 *
 * `fake-dynamips.json` in its working directory makes it fail: `{"die": "vm start"}` ends it at that command, `{"hang": "vm stop"}`
 * never answers it, `{"refuse": "vm stop"}` says that it cannot, `{"taken": true}` finds the port of the next NIO taken, once, `{"memory": 64}` has no more megabytes than that.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { fakeNios } from './dynamips-nios.ts';
import { fakePlatforms } from './dynamips-platforms.ts';
import { type Handler, type Modules, Refusal } from './dynamips-replies.ts';
import { tokensOf } from './dynamips-tokens.ts';
import { fakeVms } from './dynamips-vms.ts';

const BANNER = 'Cisco Router Simulation Platform (version 0.2.23-amd64/Linux stable)';

interface Options {
  address: string;
  port: number;
  consoles: string;
}

const usage = (code: number): never => {
  process.stdout.write(`${BANNER}\nUsage: dynamips [options] <ios_image>\n\n  -H [<ip_address>:]<tcp_port>\n`);
  process.exit(code);
};

const optionsOf = (args: string[]): Options => {
  let control: string | null = null;
  let consoles = '';
  for (let n = 0; n < args.length; n++) {
    const option = args[n] ?? '';
    if (option === '-N1') continue;
    else if (option === '-H') control = args[++n] ?? null;
    else if (option === '--console-binding-addr') consoles = args[++n] ?? '';
    else {
      process.stderr.write(`dynamips: unrecognized option '${option}'\n`);
      usage(1);
    }
  }
  const [, address = '', port = ''] = /^(?:([^:]+):)?(\d+)$/.exec(control ?? '') ?? usage(1) ?? [];
  return { address, port: Number(port), consoles: consoles || address || '127.0.0.1' };
};

interface Faults {
  die?: string;
  hang?: string;
  refuse?: string;
  memory?: number;
  taken?: boolean;
}

const faults = (): Faults => {
  try {
    return JSON.parse(readFileSync('fake-dynamips.json', 'utf8')) as Faults;
  } catch {
    return {};
  }
};

const options = optionsOf(process.argv.slice(2));
const nios = fakeNios(() => {
  const { taken = false } = faults();
  if (taken) rmSync('fake-dynamips.json');
  return taken;
});
const vms = fakeVms({ nios, consoles: options.consoles, memory: () => faults().memory ?? Infinity });

const stop = (): never => {
  vms.reset();
  process.exit(0);
};

const hypervisor: Record<string, Handler> = {
  version: { least: 0, most: 0, run: () => '0.2.23-amd64/Linux' },
  module_list: { least: 0, most: 0, run: (_, tell) => Object.keys(modules).forEach(tell) },
  cmd_list: {
    least: 1,
    most: 1,
    run: ([name = ''], tell) => {
      const commands = modules[name];
      if (commands === undefined) throw new Refusal(201, `unknown module '${name}'`);
      for (const [command, { least, most }] of Object.entries(commands))
        tell(`${command} (min/max args: ${least}/${most})`);
    },
  },
  working_dir: {
    least: 1,
    most: 1,
    run: ([directory = '']) => {
      try {
        process.chdir(directory);
      } catch {
        throw new Refusal(204, 'chdir: No such file or directory');
      }
    },
  },
  reset: {
    least: 0,
    most: 0,
    run: () => {
      vms.reset();
      nios.reset();
    },
  },
  close: { least: 0, most: 0, run: () => undefined },
  stop: { least: 0, most: 0, run: () => undefined },
};
const modules: Modules = { hypervisor, vm: vms.module, nio: nios.module, ...fakePlatforms(vms) };

const serve = (socket: Socket): void => {
  let rest = '';
  const reply = (code: number, done: boolean, text: string): void => {
    socket.write(`${code}${done ? '-' : ' '}${text}\r\n`);
  };
  const execute = (line: string): void => {
    const tokens = tokensOf(line);
    if (typeof tokens === 'string') return reply(200, true, `Parse error: ${tokens}`);
    const [module = '', name, ...args] = tokens;
    if (name === undefined) return reply(200, true, 'At least a module and a command must be specified');
    appendFileSync('dynamips_log.txt', `HYPERVISOR: exec_cmd: ${JSON.stringify(tokens)}\n`);
    const { die, hang, refuse } = faults();
    if (die === `${module} ${name}`) {
      process.stderr.write(`dynamips: segmentation fault in ${name}\n`);
      process.exit(139);
    }
    if (hang === `${module} ${name}`) return;
    if (refuse === `${module} ${name}`) return reply(210, true, `unable to ${name} VM instance '${args[0]}'`);
    try {
      const text = run(module, name, args, (info) => reply(101, false, info));
      reply(100, true, text);
      if (module === 'hypervisor' && name === 'close') socket.end();
      // It looks twice a second whether it is to go on.
      if (module === 'hypervisor' && name === 'stop') setTimeout(stop, 100);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.printed !== '') process.stderr.write(`${error.printed}\n`);
      reply(error.code, true, error.message);
    }
  };
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) execute(line);
  });
};

const run = (module: string, name: string, args: string[], tell: (info: string) => void): string => {
  const commands = modules[module];
  if (commands === undefined) throw new Refusal(201, `Unknown module '${module}'`);
  const command = commands[name];
  if (command === undefined) throw new Refusal(202, `Unknown command '${name}'`);
  const { least, most } = command;
  if (args.length < least || args.length > most)
    throw new Refusal(203, `Bad number of parameters (${args.length} with min/max=${least}/${most})`);
  const text = command.run(args, tell);
  return typeof text === 'string' ? text : 'OK';
};

const server = createServer(serve);
server.once('error', () => {
  process.stderr.write('Hypervisor: unable to create TCP sockets.\n');
  process.exit(1);
});
server.listen(options.port, options.address || undefined, () => {
  process.stdout.write(`${BANNER}\nHypervisor TCP control server started (port ${options.port}).\n`);
});
process.once('SIGTERM', stop);
