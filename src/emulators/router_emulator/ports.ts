import { invalid } from '../../common/errors.ts';
import type { Port, Properties } from '../kit/contract.ts';
import { ATM, ethernetPort, serialPort } from '../ports/ports.ts';
import { ADAPTERS, type Card, type Platform, PLATFORMS, WICS } from './platforms.ts';

const platformOf = (properties: Properties): Platform => {
  const platform = PLATFORMS[String(properties['platform'])];
  if (platform === undefined) throw invalid(`platform must be one of ${Object.keys(PLATFORMS).join(', ')}`);
  return platform;
};

/** Fills in the boards that every chassis has, and refuses cards that do not fit. Changes `properties`. */
export const settleCards = (properties: Properties): void => {
  const platform = platformOf(properties);
  const chassis = chassisOf(properties, platform);
  if (properties['chassis'] === '') delete properties['chassis'];
  const slots = platform.slots(chassis);
  for (let n = 0; n < 7; n += 1) {
    const slot = slots[n];
    const empty = slot === undefined ? undefined : (slot.board ?? null);
    settleCard(properties, `slot${n}`, { cards: slot?.cards ?? [], empty });
  }
  for (let n = 0; n < 3; n += 1) {
    const none = n >= platform.wics.count;
    settleCard(properties, `wic${n}`, { cards: platform.wics.cards, empty: none ? undefined : null, none });
  }
};

const chassisOf = (properties: Properties, platform: Platform): string => {
  const chassis = typeof properties['chassis'] === 'string' ? properties['chassis'] : '';
  if (platform.chassis.length === 0 || chassis === '') return platform.chassis[0] ?? '';
  if (platform.chassis.includes(chassis)) return chassis;
  throw invalid(`chassis of a ${String(properties['platform'])} must be one of ${platform.chassis.join(', ')}`);
};

interface Place {
  cards: readonly string[];
  /** Value of an empty place; undefined when the router has no such place. */
  empty: string | null | undefined;
  none?: boolean;
}

const settleCard = (properties: Properties, place: string, { cards, empty, none = false }: Place): void => {
  const given = properties[place];
  if (typeof given !== 'string' || given === '') {
    if (empty !== undefined) properties[place] = empty;
    return;
  }
  if (!none && cards.includes(given)) return;
  const what = `${place} of this ${String(properties['platform'])}`;
  if (none || cards.length === 0) throw invalid(`${what} does not exist, so ${given} does not fit`, { field: place });
  throw invalid(`${what} takes ${cards.join(', ')}, not ${given}`, { field: place });
};

/**
 * Ports of the cards: those of slot n on adapter n; those of interface card n on adapter 0 from port 16 * (n + 1) on, where the
 * emulator has them.
 */
export const routerPorts = (properties: Properties): Port[] => {
  const platform = platformOf(properties);
  const flat = platform.flatNames?.includes(chassisOf(properties, platform)) === true;
  const named = (card: Card, slot: number, n: number): string => card.type + (flat ? `${n}` : `${slot}/${n}`);
  const ports: Port[] = [];
  for (let slot = 0; slot < 7; slot += 1) {
    const card = ADAPTERS[String(properties[`slot${slot}`])];
    if (card === undefined) continue;
    for (let n = 0; n < card.ports; n += 1) ports.push(portOf(card, named(card, slot, n), slot, n));
  }
  let shown = 0;
  for (let wic = 0; wic < 3; wic += 1) {
    const card = WICS[String(properties[`wic${wic}`])];
    if (card === undefined) continue;
    for (let n = 0; n < card.ports; n += 1) ports.push(portOf(card, named(card, 0, shown++), 0, 16 * (wic + 1) + n));
  }
  return ports;
};

const portOf = (card: Card, name: string, adapter: number, port: number): Port => {
  switch (card.type) {
    case 'Ethernet':
    case 'FastEthernet':
    case 'GigabitEthernet':
      return ethernetPort(name, adapter, port);
    case 'ATM':
      return serialPort(name, adapter, port, ATM);
    case 'Serial':
    case 'POS':
      return serialPort(name, adapter, port);
  }
};
