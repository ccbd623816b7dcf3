import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../server.mjs';
import { summary } from '../statistics.mjs';

/** What the acceptance of the engines asks for: all together take no longer than the slowest share alone, and a fifth. */
const TARGET = 1.2;

/** Ends when it is told to: a shell alone would be waited for at each stop, as a first process hears no signal it does not ask for. */
const COMMAND = `sh -c "trap exit TERM; sleep 100000 & wait"`;

/** The tests' own guest and container service: what they need is told when it is not there. */
const support = (name) =>
  import(pathToFileURL(path.resolve(import.meta.dirname, `../../dist/test/support/${name}.js`)).href);

/** Starts of real emulators, each share alone and all together, by one request each; they take turns. */
export const engines = async ({ runs, nodeFlags }) => {
  const places = await findPlaces();
  const server = await startServer(nodeFlags, places.flags);
  try {
    const shares = await buildShares(server, places);
    const there = shares.filter(({ missing }) => missing === null);
    const all = await buildLab(
      server,
      'all',
      there.flatMap(({ nodes }) => nodes),
    );
    const labs = [...there.map(({ lab }) => lab), all];
    for (const lab of labs) await round(server, lab);
    for (const lab of labs) lab.rounds = [];
    for (let run = 0; run < runs; run++) for (const lab of labs) await round(server, lab);
    // One share alone is together with nobody.
    return [...shares.map(shareRow), ...(there.length > 1 ? togetherRows(there, all) : [])];
  } finally {
    await server.stop();
    await places.close();
  }
};

/** Where guests and containers come from; `guest` and `podman` are texts that say what is missing where they are not. */
const findPlaces = async () => {
  const { findGuest, ...guests } = await support('guest');
  const { podmanLacks, startPodman } = await support('podman');
  const guest = await findGuest();
  const podman = (await podmanLacks()) ?? (await startPodman());
  const flags = typeof podman === 'string' ? [] : ['--docker-host', `unix://${podman.socket}`];
  return { guest, guests, podman, flags, close: () => (typeof podman === 'string' ? undefined : podman.close()) };
};

const buildShares = async (server, places) => {
  const { guest, podman } = places;
  const shares = [
    { what: '5 QEMU guests', missing: typeof guest === 'string' ? guest : null, nodes: [] },
    { what: '20 containers', missing: typeof podman === 'string' ? podman : null, nodes: [] },
    { what: '50 PCs', missing: null, nodes: of(50, 'PC', 'vpcs', {}) },
  ];
  const [qemu, docker] = shares;
  if (qemu.missing === null) qemu.nodes = of(5, 'VM', 'qemu', await guestProperties(server, places));
  if (docker.missing === null) docker.nodes = of(20, 'BOX', 'docker', { image: podman.image, start_command: COMMAND });
  for (const share of shares) if (share.missing === null) share.lab = await buildLab(server, share.what, share.nodes);
  return shares;
};

const of = (count, name, node_type, properties) =>
  Array.from({ length: count }, (_, n) => ({ name: `${name}${n + 1}`, node_type, compute_id: 'local', properties }));

const guestProperties = async ({ directory }, { guest, guests }) => {
  const images = path.join(directory, 'data', 'images', 'QEMU');
  await mkdir(images, { recursive: true });
  await symlink(guest.kernel, path.join(images, 'vmlinuz'));
  await symlink(guest.initrd, path.join(images, 'initrd.gz'));
  return {
    ram: guests.GUEST_RAM,
    adapter_type: 'virtio-net-pci',
    kernel_image: 'vmlinuz',
    initrd: 'initrd.gz',
    kernel_command_line: guests.GUEST_COMMAND_LINE,
  };
};

/** A project of these nodes, each linked to one switch, which runs. */
const buildLab = async (server, name, nodes) => {
  const { project_id } = await server.call('POST', '/v2/projects', { name });
  const place = `/v2/projects/${project_id}`;
  const ports_mapping = nodes.map((_, n) => ({ name: `Ethernet${n}`, port_number: n, type: 'access', vlan: 1 }));
  const hub = await server.call('POST', `${place}/nodes`, {
    name: 'Switch',
    node_type: 'ethernet_switch',
    compute_id: 'local',
    properties: { ports_mapping },
  });
  for (const [port_number, node] of nodes.entries()) {
    const { node_id } = await server.call('POST', `${place}/nodes`, node);
    await server.call('POST', `${place}/links`, {
      nodes: [
        { node_id, adapter_number: 0, port_number: 0 },
        { node_id: hub.node_id, adapter_number: 0, port_number },
      ],
    });
  }
  return { place, rounds: [] };
};

const round = async (server, lab) => {
  const busy = await busySeconds();
  const begin = performance.now();
  await server.call('POST', `${lab.place}/nodes/start`);
  lab.rounds.push({ ms: performance.now() - begin, busy: (await busySeconds()) - busy });
  await server.call('POST', `${lab.place}/nodes/stop`);
};

/** Of all processors since the boot (proc(5), /proc/stat: hundredths), without what they idled and waited; NaN elsewhere. */
const busySeconds = async () => {
  const text = await readFile('/proc/stat', 'latin1').catch(() => '');
  const [user, nice, system, , , irq, soft] = text.split('\n')[0].split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + soft) / 100;
};

const times = ({ rounds }) => rounds.map(({ ms }) => ms);
const shareRow = ({ what, missing, lab }) =>
  missing === null
    ? { what: `start of ${what}`, unit: 'ms', values: times(lab) }
    : { what: `start of ${what} (${missing})`, unit: 'ms', values: [] };

const togetherRows = (shares, all) => {
  const slowest = shares.toSorted((a, b) => summary(times(b.lab)).median - summary(times(a.lab)).median)[0];
  const busy = ({ rounds }) => rounds.map((one) => one.busy).filter((seconds) => !Number.isNaN(seconds));
  const used = shares.map(({ what, lab }) => ({ what: `processor time of ${what}`, unit: 's', values: busy(lab) }));
  return [
    {
      what: `start of all of them together (target ${TARGET})`,
      unit: 'ms',
      values: times(all),
      limit: `${slowest.what} alone`,
      limits: times(slowest.lab),
    },
    ...used,
    { what: 'processor time of all of them together', unit: 's', values: busy(all) },
  ];
};
