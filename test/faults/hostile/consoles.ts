import { WebSocket } from 'ws';
import { head, rawClient, type RawClient } from '../../api/raw-client.ts';
import { type Attack, type Figures, send } from './attack.ts';
import { until } from '../../../src/common/promises.ts';

/** Clients at once, of each sort. */
const CLIENTS = 20;
const IAC = 255;

/** Consoles at which nobody behaves. */
export const consoles = async (attack: Attack): Promise<Figures> => {
  const { random, lab, server } = attack;
  const figures: Figures = { clients: 0, octets: 0, frames: 0 };
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
  /** Telnet: commands, options, subnegotiations without an end. */
  const telnet = (): Buffer =>
    Buffer.from(Array.from({ length: 2_000 }, () => [IAC, 240 + random.below(16), random.below(256)]).flat());
  const lines = (): Buffer => Buffer.from(`${'x'.repeat(1 << 20)}\r`);
  const commands = (): Buffer =>
    Buffer.from(
      `${random.pick(['show ip', 'ping 10.9.9.9 -c 99999 -i 1', 'trace 10.9.9.9', 'arp', '\x03', '?']) ?? ''}\r`,
    );
  while (!attack.isOver()) {
    // `quit`, or `q`, may be among what is typed: that ends the PC.
    await send(attack, 'POST', `/v2/projects/${lab.project_id}/nodes/start`, Buffer.from('{}'));
    const clients: RawClient[] = [];
    for (let n = 0; n < CLIENTS; n++) {
      const port = random.pick(lab.consoles);
      const isSocket = random.below(2) === 0;
      const url = isSocket || port === undefined ? server.url : `http://127.0.0.1:${String(port)}`;
      const client = await rawClient(url, random.below(2) === 0).catch(() => undefined);
      if (client === undefined) {
        if (!(await hasQuit(attack))) attack.blame(`nobody listens at ${url}`);
        continue;
      }
      clients.push(client);
      if (isSocket) await shake(client, attack);
      const sent = isSocket
        ? frame(attack, bytes(random.below(70_000)))
        : (random.pick([telnet, lines, commands, () => bytes(5_000)]) ?? lines)();
      client.write(sent);
      figures['clients'] = (figures['clients'] ?? 0) + 1;
      figures['octets'] = (figures['octets'] ?? 0) + sent.length;
    }
    // A console answers who behaves, whatever the others do.
    if (!(await answers(attack)) && !(await hasQuit(attack)))
      attack.blame('a console did not answer a client that behaves');
    for (const client of clients) client.vanish();
  }
  return figures;
};

/** Whether a PC has ended since all of them were started; its port is closed a moment before that is on record. */
const hasQuit = async (attack: Attack): Promise<boolean> => {
  const look = async (): Promise<boolean | 'silent'> => {
    const reply = await send(attack, 'GET', `/v2/projects/${attack.lab.project_id}/nodes`, null);
    if (typeof reply === 'string') return 'silent';
    return (JSON.parse(reply.text) as { status: string }[]).some(({ status }) => status === 'stopped');
  };
  return (await until(look, { every: 50, within: 2_000 })) === true;
};

const shake = async (client: RawClient, { lab, random }: Attack): Promise<void> => {
  const path = `/v2/projects/${lab.project_id}/nodes/${random.pick(lab.nodes) ?? ''}/console/ws`;
  client.write(
    head(`GET ${path}`, {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': 13,
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }),
  );
};

/** RFC 6455, 5.2: of any opcode, masked or not, of a length that is true or not. */
const frame = ({ random }: Attack, data: Buffer): Buffer => {
  const lengths = [
    [126, data.length >>> 8, data.length & 255],
    [127, 255, 255, 255, 255, 255, 255, 255, 255],
    [random.below(126)],
  ];
  const [first = 0, ...more] = random.pick(lengths) ?? [0];
  const masked = random.below(8) > 0;
  return Buffer.concat([
    Buffer.from([random.below(256), first | (masked ? 128 : 0), ...more]),
    ...(masked ? [Buffer.alloc(4)] : []),
    data,
  ]);
};

/** Milliseconds that a console may take for the echo of one octet while it is being attacked. */
const PATIENCE_MS = 20_000;

const answers = ({ server, lab }: Attack): Promise<boolean> =>
  new Promise((resolve) => {
    const url = `${server.url.replace('http', 'ws')}/v2/projects/${lab.project_id}/nodes/${lab.nodes[0] ?? ''}/console/ws`;
    const socket = new WebSocket(url);
    const end = (isWell: boolean): void => {
      clearTimeout(late);
      socket.terminate();
      resolve(isWell);
    };
    const late = setTimeout(() => end(false), PATIENCE_MS);
    socket.once('open', () => socket.send(Buffer.from('\r')));
    socket.once('message', () => end(true));
    socket.on('error', () => end(false));
  });
