import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { addressOf, writeLab } from '../lab.mjs';
import { startServer } from '../server.mjs';
import { summary } from '../statistics.mjs';

const PINGS = 200;

/** What a user sees who pings from one PC to another through a switch, beside one datagram to and fro over loopback. */
export const ping = async ({ runs }) => {
  const server = await startServer();
  try {
    const { project_id, file, node_ids } = await writeLab(server.directory, 2);
    await server.call('POST', '/v2/projects/load', { path: file });
    await server.call('POST', `/v2/projects/${project_id}/nodes/start`);
    const { console: port } = await server.call('GET', `/v2/projects/${project_id}/nodes/${node_ids[0]}`);
    const values = [];
    const limits = [];
    await times(port, 20);
    for (let run = 0; run < runs; run++) {
      values.push(summary(await times(port, PINGS)).median);
      limits.push(await datagrams());
    }
    return [
      { what: 'ping between two PCs through a switch', unit: 'ms', values, limit: 'a UDP datagram and back', limits },
    ];
  } finally {
    await server.stop();
  }
};

/** Round trips in milliseconds as the console prints them. */
const times = async (port, count) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  const found = await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the console closed: ${text}`)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const rtts = [...text.matchAll(/time=([\d.]+) ms/g)].map((m) => Number(m[1]));
      if (rtts.length >= count) resolve(rtts.slice(-count));
    });
    socket.write(`ping ${addressOf(1)} -c ${count} -i 10\r\n`);
  });
  socket.removeAllListeners('close');
  socket.destroy();
  return found;
};

const datagrams = async () => {
  const [a, b] = [createSocket('udp4'), createSocket('udp4')];
  await Promise.all([a, b].map((s) => new Promise((bound) => s.bind(0, '127.0.0.1', bound))));
  b.on('message', (message, { port }) => b.send(message, port, '127.0.0.1'));
  const rtts = [];
  for (let n = 0; n < PINGS; n++) {
    const begin = performance.now();
    const back = once(a, 'message');
    a.send(Buffer.alloc(98), b.address().port, '127.0.0.1');
    await back;
    rtts.push(performance.now() - begin);
  }
  a.close();
  b.close();
  return summary(rtts).median;
};
