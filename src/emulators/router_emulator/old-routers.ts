import type { Port, Properties } from '../kit/contract.ts';
import { numberOf } from '../kit/fields.ts';
import {
  type FromOld,
  leaving,
  type OldFile,
  type OldForm,
  type OldNode,
  type OldPort,
  placesOf,
  type PortNumber,
  textOf,
  withImageNames,
} from '../kit/old-nodes.ts';
import { configFile, CONFIGS, type Config } from './files.ts';
import { PLATFORMS } from './platforms.ts';
import { routerPorts, settleCards } from './ports.ts';

/** Routers before revision 5: the type said the platform, boards were not named, and interface cards numbered their ports differently. */

/** Types to platform and chassis; a 3725 with a switching module had a type of its own. */
const TYPES: Readonly<Record<string, { platform: string; chassis?: string }>> = {
  ...Object.fromEntries(Object.keys(PLATFORMS).map((platform) => [platform.toUpperCase(), { platform }])),
  ...Object.fromEntries(['3620', '3640', '3660'].map((chassis) => [`C${chassis}`, { platform: 'c3600', chassis }])),
  EtherSwitchRouter: { platform: 'c3725' },
};

/** Megabytes, by platform: what the program took where a file said nothing. */
const RAM: Readonly<Record<string, number>> = {
  c1700: 160,
  c2600: 160,
  c2691: 192,
  c3600: 192,
  c3725: 128,
  c3745: 256,
  c7200: 512,
};

export const oldRouter: OldForm = {
  // Some files have routers without a type.
  types: [...Object.keys(TYPES), ''],
  only: ({ type, properties }) => type !== '' || Object.hasOwn(PLATFORMS, String(properties['platform'])),
  convert(node) {
    const warnings: string[] = [];
    const given = leaving(withImageNames(node.properties, ['image']), ['startup_config', 'private_config']);
    const known = { ...TYPES[node.type], ...(instanceOf(node) ?? {}), ...withoutNulls(given) };
    const { properties, ports } = completed(node, known, warnings);
    return {
      properties,
      symbol: node.type === 'EtherSwitchRouter' ? ':/symbols/multilayer_switch.svg' : ':/symbols/router.svg',
      ...(ports.length === 0 ? {} : { ends: endsOf(node.ports, ports) }),
      files: filesOf(node, properties['dynamips_id']),
      warnings,
    } satisfies FromOld;
  },
};

const withoutNulls = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== ''));

/** Number that the router's files carry: called after the router first, then after the emulator. */
const instanceOf = ({ fields, properties }: OldNode): Properties | null => {
  const [, ofFile] = /(?:^|[\\/])i(\d+)_/.exec(textOf(properties['startup_config']) ?? '') ?? [];
  const id = [fields['dynamips_id'], fields['router_id'], Number(ofFile)].find(
    (one) => typeof one === 'number' && Number.isInteger(one) && one >= 1 && one <= 4096,
  );
  return id === undefined ? null : { dynamips_id: id };
};

/** Adds memory, chassis and board, which files may lack: the ones whose ports have the names of the file's. */
const completed = (
  { ports }: OldNode,
  given: Properties,
  warnings: string[],
): { properties: Properties; ports: Port[] } => {
  const platform = String(given['platform']);
  const ram = given['ram'] === undefined ? RAM[platform] : undefined;
  const known = { ...given, ...(ram === undefined ? {} : { ram }) };
  if (ram !== undefined) warnings.push(`the file says no ram; it has ${ram} MB, as was usual`);
  const tries = variants(known).map((added) => ({ added, ports: portsOf({ ...known, ...added }) }));
  const missed = (made: readonly Port[]): number => {
    const names = new Set(made.map(({ name }) => name));
    return ports.filter((port) => !isOnCard(port) && !names.has(port.name)).length;
  };
  const best = tries.reduce((best, one) => (missed(one.ports) < missed(best.ports) ? one : best));
  for (const [key, value] of Object.entries(best.added))
    warnings.push(`the file says no ${key}; it has ${value}, which goes with its other settings and ports`);
  return { properties: { ...known, ...best.added }, ports: best.ports };
};

/** Settings that may have to be added, the likeliest first. */
const variants = (given: Properties): [Record<string, string>, ...Record<string, string>[]] => {
  const platform = PLATFORMS[String(given['platform'])];
  if (platform === undefined) return [{}];
  if (given['chassis'] === undefined && platform.chassis.length > 0)
    return [{}, ...platform.chassis.slice(1).map((chassis) => ({ chassis }))];
  if (given['slot0'] !== undefined) return [{}];
  const boards = platform.slots(String(given['chassis']))[0]?.cards ?? [];
  // The largest engine of the 7200 comes with a board of its own.
  const first = given['npe'] === 'npe-g2' ? { slot0: 'C7200-IO-GE-E' } : {};
  return [first, ...boards.map((slot0) => ({ slot0 }))];
};

/** Ports of the cards; none for cards that do not fit, which the node itself reports. */
const portsOf = (properties: Properties): Port[] => {
  const settled = { ...properties };
  try {
    settleCards(settled);
    return routerPorts(settled);
  } catch {
    return [];
  }
};

/** Ports of interface cards have these numbers, which are sixteen a card. */
const FIRST_OF_CARDS = 16;
const cardOf = (number: number): number => Math.floor(number / FIRST_OF_CARDS) - 1;

/** The ports of one interface card had numbers with gaps: their order is what counts. Undefined: there is no such port. */
const endsOf = (old: readonly OldPort[], ports: readonly Port[]): (PortNumber | undefined)[] => {
  const onCards = old.filter(isOnCard).map(({ number }) => number ?? 0);
  return old.map((port) => {
    const number = port.number ?? 0;
    const lower = new Set(onCards.filter((one) => cardOf(one) === cardOf(number) && one < number));
    const port_number = isOnCard(port) ? FIRST_OF_CARDS * (cardOf(number) + 1) + lower.size : port.number;
    const found =
      ports.find((one) => one.adapter_number === (port.adapter ?? 0) && one.port_number === port_number) ??
      ports.find(({ name }) => name === port.name);
    return found && { adapter_number: found.adapter_number, port_number: found.port_number };
  });
};

const isOnCard = ({ adapter, number }: OldPort): boolean => (adapter ?? 0) === 0 && (number ?? 0) >= FIRST_OF_CARDS;

const filesOf = ({ node_id, properties }: OldNode, dynamips_id: unknown): OldFile[] => {
  const id = typeof dynamips_id === 'number' ? dynamips_id : numberOf(node_id, 4096);
  return (Object.keys(CONFIGS) as Config[]).map((config) => {
    const named = textOf(properties[`${config}_config`]);
    const usual = `i${id}_${CONFIGS[config]}`;
    const last = placesOf(named, 'dynamips', node_id).at(-1) ?? usual;
    const folders = ['configs', `${config}-configs`].map((folder) => `${folder}/${last.split('/').at(-1) ?? usual}`);
    return { name: configFile(id, config), places: [...placesOf(named, 'dynamips', node_id), ...folders], named };
  });
};

/**
 * Whether a file belongs to a router: before revision 7 all routers shared one directory, and its files had the router's number in their
 * names.
 */
export const isSharedFile = (name: string, { dynamips_id }: Properties): boolean =>
  typeof dynamips_id === 'number' &&
  (name.includes('/') ? name.startsWith(`configs/i${dynamips_id}_`) : name.includes(`_i${dynamips_id}_`));
