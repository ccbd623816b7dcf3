import { parseIpv6 } from '../../../codecs/ipv6/ipv6-address.ts';
import { isNumber } from '../../host/shell/command.ts';
import type { AdvertisementSettings } from '../advertiser.ts';
import type { RouterInterface } from '../router-interface.ts';
import type { RouterContext } from './context.ts';

const FLAGS = new Map<string, Partial<AdvertisementSettings>>([
  ['on', { on: true }],
  ['off', { on: false }],
  ['managed', { managed: true }],
  ['unmanaged', { managed: false }],
  ['other', { other: true }],
  ['noother', { other: false }],
]);
/** Seconds, RFC 4861 section 6.2.1. */
const NUMBERS = new Map([
  ['lifetime', { from: 0, upTo: 65_535 }],
  ['interval', { from: 4, upTo: 1800 }],
]);

/** `interface <n> ra …`; all of it or, when a part is wrong, nothing. */
export function advertise(context: RouterContext, { advertiser }: RouterInterface, args: readonly string[]): void {
  let settings = advertiser.settings;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const flag = FLAGS.get(word);
    const change = flag ?? valueOf(word, args[at + 1]);
    if (change === null) return context.print(`Invalid value: ${args.slice(at, at + 2).join(' ')}\n`);
    if (flag === undefined) at += 1;
    settings = { ...settings, ...change };
  }
  advertiser.settings = settings;
}

function valueOf(word: string, value: string | undefined): Partial<AdvertisementSettings> | null {
  if (word === 'dns') {
    const server = parseIpv6(value ?? '');
    return value === 'none' ? { dns: [] } : server === null ? null : { dns: [server] };
  }
  const range = NUMBERS.get(word);
  const number = isNumber(value) ? Number(value) : -1;
  return range === undefined || number < range.from || number > range.upTo ? null : { [word]: number };
}
