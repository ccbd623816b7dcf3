// A fabric of its own for a measurement: the process that a server starts, with UDP links through it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';

/** Another build can be measured with the same generators: the directory that holds `src`, as `dist` does. */
const build = process.env.TOPOLOG_BENCH_BUILD ?? path.resolve(import.meta.dirname, '../dist');
export const ofBuild = (file) => import(pathToFileURL(path.join(build, file)).href);

const PROJECT = '00000000-0000-4000-8000-000000000001';
const port = (node_id) => ({ node_id, adapter_number: 0, port_number: 0 });

export const startFabric = async () => {
  const { findOrStartFabric } = await ofBuild('src/fabric/client/supervise.js');
  const directory = await mkdtemp(path.join(process.env.TOPOLOG_BENCH_DIR ?? tmpdir(), 'topolog-bench-'));
  const { client, pid } = await findOrStartFabric({
    dataDir: directory,
    log: () => undefined,
    logger: pino({ enabled: false }),
  });
  const remove = [];
  return {
    pid,
    /** A cable between two UDP sockets; link i of the ports that relay.c describes. */
    async cable(base, i, filters = {}) {
      await client.one(putCable(`${base}-${i}`, ...udpEnds(base, i), filters));
      remove.push({ op: 'cable.remove', cable_id: `${base}-${i}` });
    },
    /** As a link of two processes outside: each attached to a port, a cable between the ports, and a capture at the first. */
    async capturedLink(base, i) {
      const [near, far] = udpEnds(base, i);
      const names = [`a${base}-${i}`, `b${base}-${i}`];
      for (const [name, to] of [
        [names[0], near],
        [names[1], far],
      ]) {
        await client.one({ op: 'port.attach', attachment: { port: port(name), project_id: PROJECT, to } });
        remove.push({ op: 'port.detach', port: port(name) });
      }
      const ends = names.map((name) => ({ type: 'port', ...port(name) }));
      await client.one(putCable(`${base}-${i}`, ...ends, {}));
      const capture = { port: port(names[0]), project_id: PROJECT, path: path.join(directory, `${base}.pcap`) };
      await client.one({ op: 'capture.start', capture: { ...capture, data_link_type: 'DLT_EN10MB', append: false } });
      remove.push({ op: 'capture.stop', port: port(names[0]) }, { op: 'cable.remove', cable_id: `${base}-${i}` });
    },
    /** Ends all links. */
    async clear() {
      await client.run(remove.splice(0).reverse());
    },
    statistics: () => client.one({ op: 'statistics' }),
    async stop() {
      await client.one({ op: 'shutdown' });
      client.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const udpEnds = (base, i) => {
  const first = base + 4 * i;
  return [
    { type: 'udp', lport: first + 1, rhost: '127.0.0.1', rport: first },
    { type: 'udp', lport: first + 2, rhost: '127.0.0.1', rport: first + 3 },
  ];
};

const putCable = (cable_id, a, b, filters) => ({
  op: 'cable.put',
  cable: { cable_id, project_id: PROJECT, ends: [a, b], suspend: false, filters, seed: 1 },
});
