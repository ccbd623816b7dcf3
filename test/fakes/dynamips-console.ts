import { createServer, type Socket } from 'node:net';

interface Shell {
  name: string;
  id: number;
  platform: string;
  status: number;
  running: string;
}

export interface FakeConsole {
  close(): void;
}

/** Telnet: WILL ECHO, WILL SUPPRESS-GO-AHEAD, DON'T LINEMODE after DO TERMINAL-TYPE. */
const NEGOTIATION = Buffer.from('fffd18fffb01fffb03fffe22', 'hex');
const IAC = /\xff[\xfb-\xfe][^]/g;

/** A console port with an IOS-like prompt: `hostname X`, `show running-config`, `show version`, `write memory`, `test crash`. */
export const fakeConsole = (
  vm: Shell,
  title: string,
  { host, port, save }: { host: string; port: number; save: (text: string) => void },
): FakeConsole => {
  const sockets = new Set<Socket>();
  const print = (text: string): void => {
    for (const socket of sockets) socket.write(text.replace(/\n/g, '\r\n'));
  };
  const prompt = (): string => `${/^hostname (\S+)/m.exec(vm.running)?.[1] ?? 'Router'}>`;
  const shell = (line: string): string => {
    const [, name] = /^hostname (\S+)$/.exec(line) ?? [];
    if (name !== undefined) {
      vm.running = `hostname ${name}\n${vm.running.replace(/^hostname .*\n/m, '')}`;
      return '';
    }
    switch (line) {
      case '':
        return '';
      case 'show running-config':
        return `${vm.running}end\n`;
      case 'show version':
        return `Cisco IOS Software, ${vm.platform.slice(1)} Software\n`;
      case 'write memory':
        save(vm.running);
        return 'Building configuration...\n[OK]\n';
      case 'test crash':
        process.stderr.write('*** System received a Segmentation Fault ***\n');
        return process.exit(139);
      default:
        return '% Invalid input detected.\n';
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.write(NEGOTIATION);
    socket.write(
      `Connected to Dynamips VM "${vm.name}" (ID ${vm.id}, type ${vm.platform}) - ${title}\r\nPress ENTER to get the prompt.\r\n`,
    );
    let typed = '';
    socket.on('data', (chunk: Buffer) => {
      // A router that is suspended reads nothing.
      if (vm.status !== 2) return;
      typed += chunk
        .toString('latin1')
        .replace(IAC, '')
        .replace(/\r[\n\0]?/g, '\n');
      const lines = typed.split('\n');
      typed = lines.pop() ?? '';
      for (const line of lines) {
        print(`${line}\n`);
        print(`${shell(line.trim())}${prompt()}`);
      }
    });
  });
  // The real one says so and goes on without.
  server.on('error', (error) => process.stderr.write(`vtty_tcp_waitcon: bind: ${error.message}\n`));
  server.listen(port, host);
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
