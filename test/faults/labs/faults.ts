import type { Random } from '../prng.ts';
import { LARGE } from './expectations.ts';
import { type MadeLab, type MadeLink, portsOf, startText } from './made-lab.ts';

/** Something that was broken: who does not reach whom since then, and how it is put right. */
export interface Planted {
  what: string;
  from: string;
  to: string;
  /** Octets of data that a ping needs to meet it. */
  size?: number;
  repair(): Promise<unknown>;
}

/** null: this lab has nothing that can be broken so. */
type Plant = (lab: MadeLab, random: Random) => Promise<Planted | null>;

/** Who breaks things, and who repairs them. */
export const BREAKS = 'mallory';
const REPAIRS = 'ada';

const nodePath = (lab: MadeLab, name: string): string => `/nodes/${lab.nodes.get(name) ?? ''}`;

const pairIn = (lab: MadeLab, random: Random): readonly [string, string] =>
  random.pick(lab.spec.pairs) ?? ['PC1', 'PC2'];

const nameAt = (end: string): string => end.split(':')[0] ?? '';

/** The link of a PC. */
const linkOf = (lab: MadeLab, pc: string): MadeLink | undefined =>
  lab.links.find(({ ends }) => ends.some((end) => nameAt(end) === pc));

/** A link between the two of a pair: one that carries all that they say. */
const onTheWay = (lab: MadeLab, random: Random, [from, to]: readonly [string, string]): MadeLink | undefined => {
  const own = [linkOf(lab, from), linkOf(lab, to)].filter((link) => link !== undefined);
  return random.pick(own);
};

const onLink =
  (
    what: string,
    body: (random: Random) => Record<string, unknown>,
    undo: Record<string, unknown>,
    size?: number,
  ): Plant =>
  async (lab, random) => {
    const pair = pairIn(lab, random);
    const link = onTheWay(lab, random, pair);
    if (link === undefined) return null;
    const path = `/links/${link.link_id}`;
    await lab.ask(BREAKS, 'PUT', path, body(random));
    return {
      ...{ what: `${what} at ${link.ends.join(' – ')}`, from: pair[0], to: pair[1] },
      ...(size === undefined ? {} : { size }),
      repair: () => lab.ask(REPAIRS, 'PUT', path, undo),
    };
  };

const cutLink: Plant = async (lab, random) => {
  const pair = pairIn(lab, random);
  const link = onTheWay(lab, random, pair);
  if (link === undefined) return null;
  await lab.ask(BREAKS, 'DELETE', `/links/${link.link_id}`);
  const [from, to] = pair;
  return {
    ...{ what: `cut link ${link.ends.join(' – ')}`, from, to },
    repair: async () => {
      lab.links[lab.links.indexOf(link)] = await lab.addLink(REPAIRS, link.ends);
    },
  };
};

/** The access port of a PC goes to another VLAN. */
const wrongVlan: Plant = async (lab, random) => {
  const pair = pairIn(lab, random);
  const link = onTheWay(lab, random, pair);
  const end = link?.ends.find((one) =>
    lab.spec.switches.some(({ name, ports }) => name === nameAt(one) && ports !== undefined),
  );
  const spec = lab.spec.switches.find(({ name }) => name === nameAt(end ?? ''));
  if (end === undefined || spec === undefined) return null;
  const path = nodePath(lab, spec.name);
  const number = Number(end.split(':')[1]);
  const vlan = 100 + random.below(900);
  const changed = portsOf(spec).map((port, n) => (n === number ? { ...port, type: 'access', vlan } : port));
  await lab.ask(BREAKS, 'PUT', path, { properties: { ports_mapping: changed } });
  return {
    ...{ what: `VLAN ${vlan} at ${end}`, from: pair[0], to: pair[1] },
    repair: () => lab.ask(REPAIRS, 'PUT', path, { properties: { ports_mapping: portsOf(spec) } }),
  };
};

const stoppedNode =
  (action: 'stop' | 'suspend'): Plant =>
  async (lab, random) => {
    const [from, to] = pairIn(lab, random);
    const next = linkOf(lab, to)
      ?.ends.map(nameAt)
      .find((name) => name !== to);
    const isSwitch = action === 'stop' && next !== undefined && !next.startsWith('PC') && random.below(2) === 0;
    const victim = isSwitch ? next : to;
    await lab.ask(BREAKS, 'POST', `${nodePath(lab, victim)}/${action}`);
    return {
      ...{ what: `${victim}: ${action}`, from, to },
      repair: () => lab.ask(REPAIRS, 'POST', `${nodePath(lab, victim)}/start`),
    };
  };

/** A PC gets another start-up text, and starts with it. */
const withText =
  (what: string, textFor: (lab: MadeLab, pc: string, random: Random) => string | null): Plant =>
  async (lab, random) => {
    const [from, to] = pairIn(lab, random);
    const path = nodePath(lab, to);
    const pc = lab.spec.pcs.find(({ name }) => name === to);
    const startup_script = textFor(lab, to, random);
    if (startup_script === null || pc === undefined) return null;
    await lab.ask(BREAKS, 'PUT', path, { properties: { startup_script } });
    await lab.ask(BREAKS, 'POST', `${path}/reload`);
    return {
      ...{ what: `${what} of ${to}: ${startup_script.trim()}`, from, to },
      repair: async () => {
        await lab.ask(REPAIRS, 'PUT', path, { properties: { startup_script: startText(pc) } });
        await lab.ask(REPAIRS, 'POST', `${path}/reload`);
      },
    };
  };

const wrongAddress = withText(
  'wrong address',
  (_, pc, random) => `ip 10.${1 + random.below(99)}.0.${pc.slice(2)}/24\n`,
);

/** That of a PC of the same network which is neither of the pair. */
const duplicateAddress: Plant = async (lab, random) => {
  const [from, to] = pairIn(lab, random);
  const network = (name: string): string =>
    lab.spec.pcs
      .find((pc) => pc.name === name)
      ?.address.split('.')
      .slice(0, 3)
      .join('.') ?? '';
  const others = lab.spec.pairs.flat().filter((name) => name !== to && network(name) === network(to));
  const reachable = others.filter(
    (name) => name === from || lab.spec.pairs.some((p) => p.includes(name) && p.includes(to)),
  );
  const other = random.pick(reachable);
  const taken = lab.spec.pcs.find(({ name }) => name === other);
  if (taken === undefined) return null;
  const plant = withText('address of somebody else', (_, pc) => (pc === to ? startText(taken) : null));
  return plant({ ...lab, spec: { ...lab.spec, pairs: [[from, to]] } }, random);
};

/** A second link between two switches that are linked already. */
const loop: Plant = async (lab, random) => {
  const trunks = lab.links.filter(({ ends }) => ends.every((end) => isPlain(lab, end)));
  const trunk = random.pick(trunks);
  if (trunk === undefined) return null;
  const free = trunk.ends.map((end) => freePort(lab, nameAt(end)));
  const [a, b] = free;
  if (a === undefined || b === undefined || a === null || b === null) return null;
  const [from, to] = random.pick(lab.spec.pairs.filter((pair) => crosses(lab, pair, trunk))) ?? [];
  if (from === undefined || to === undefined) return null;
  const added = await lab.addLink(BREAKS, [a, b]);
  // Nothing goes round before the first broadcast: a question for an address that nobody has.
  await lab.ping(from, 'nobody');
  return {
    ...{ what: `loop by ${a} – ${b}`, from, to },
    repair: async () => {
      await lab.ask(REPAIRS, 'DELETE', `/links/${added.link_id}`);
      // Switches have learned it where it is not, until it speaks.
      for (const name of lab.nodes.keys()) if (name.startsWith('PC')) await lab.ping(name, 'nobody');
    },
  };
};

/** A port of a hub, or of a switch in the VLAN that free ports are in. */
const isPlain = (lab: MadeLab, end: string): boolean =>
  lab.spec.switches.some(
    ({ name, ports }) => name === nameAt(end) && (ports === undefined || ports[Number(end.split(':')[1])] === '1'),
  );

/** A port of the VLAN that the trunk carries untagged. */
const freePort = (lab: MadeLab, name: string): string | null => {
  const used = new Set(lab.links.flatMap(({ ends }) => ends));
  const { ports = Array.from({ length: 8 }, () => '1') } = lab.spec.switches.find((one) => one.name === name) ?? {};
  const number = ports.findIndex((port, n) => /^\d+$/.test(port) && !used.has(`${name}:${n}`) && n > 0);
  return number === -1 ? null : `${name}:${number}`;
};

/** Broadcasts of the pair come to the trunk: all switches of the lab are joined. */
const crosses = (lab: MadeLab, [from]: readonly [string, string], { ends }: MadeLink): boolean => {
  const seen = new Set([from]);
  for (let grown = true; grown;) {
    grown = false;
    for (const link of lab.links) {
      const [a = '', b = ''] = link.ends.map(nameAt);
      if (seen.has(a) === seen.has(b)) continue;
      seen.add(a).add(b);
      grown = true;
    }
  }
  return ends.every((end) => seen.has(nameAt(end)));
};

export const PLANTS: Readonly<Record<string, Plant>> = {
  'cut link': cutLink,
  'suspended link': onLink('suspended link', () => ({ suspend: true }), { suspend: false }),
  'wrong VLAN': wrongVlan,
  filter: onLink(
    'filter',
    (random) => ({
      filters: random.pick([{ packet_loss: [100] }, { frequency_drop: [-1] }, { 'packet_loss<': [100] }]),
    }),
    { filters: {} },
  ),
  'stopped node': stoppedNode('stop'),
  'suspended node': stoppedNode('suspend'),
  'wrong address': wrongAddress,
  'duplicate address': duplicateAddress,
  loop,
  MTU: onLink(
    'MTU',
    (random) => ({ filters: { bpf: [`greater ${600 + random.below(600)}`] } }),
    { filters: {} },
    LARGE,
  ),
};
