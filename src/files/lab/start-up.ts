import type { StartUp } from '../../emulators/kit/text-files.ts';
import type { LabNode } from './model.ts';

type Said = Pick<LabNode, 'addresses' | 'startup'>;

export const isSix = (address: string): boolean => address.includes(':');

/** Appends each gateway to the first address of its family. */
export const withGateways = (addresses: readonly string[], gateways: readonly string[]): string[] =>
  addresses.map((one, i) => {
    const isFirst = addresses.findIndex((other) => isSix(other) === isSix(one)) === i;
    const gateway = isFirst ? gateways.find((router) => isSix(router) === isSix(one)) : undefined;
    return gateway === undefined ? one : `${one} ${gateway}`;
  });

const filled = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');

/** Start-up text of a node: its addresses first. Throws an error for what the kind cannot express. */
export const startUpText = ({ addresses = [], startup = '' }: Said, { addressLine, gateway }: StartUp): string => {
  const lines = addresses.map((one) => {
    const [given = '', router] = one.split(' ');
    const [address = '', prefix = ''] = given.split('/');
    if (addressLine === null) throw new Error('its kind takes no addresses; say them in its start-up text');
    if (router !== undefined && gateway === null)
      throw new Error('its kind takes no gateway; say it in its start-up text');
    return `${filled(addressLine, { address, prefix })}${router === undefined ? '' : filled(gateway ?? '', { gateway: router })}\n`;
  });
  return `${lines.join('')}${startup}`;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const ADDRESS = '([0-9a-fA-F.:]+)';
const pattern = (line: string): string =>
  line
    .split(/(\{\w+\})/)
    .map((part) =>
      part === '{address}' || part === '{gateway}' ? ADDRESS : part === '{prefix}' ? String.raw`(\d+)` : escaped(part),
    )
    .join('');

/** The inverse: parses leading lines with addresses, each gateway with the first one of its family, and the rest. */
export const saidOf = (text: string, { addressLine, gateway }: StartUp): Said => {
  if (text.trim() === '') return {};
  if (addressLine === null) return { startup: text };
  const line = new RegExp(`^${pattern(addressLine)}${gateway === null ? '' : `(?:${pattern(gateway)})?`}\n`);
  const addresses: string[] = [];
  let rest = text.endsWith('\n') ? text : `${text}\n`;
  for (let found = line.exec(rest); found !== null; found = line.exec(rest)) {
    const [whole, address = '', prefix = '', router] = found;
    const isOther = (one: string): boolean => isSix(one) !== isSix(address);
    if (router !== undefined && !(addresses.every(isOther) && isSix(router) === isSix(address))) break;
    addresses.push(`${address}/${prefix}${router === undefined ? '' : ` ${router}`}`);
    rest = rest.slice(whole.length);
  }
  // A missing line end is equivalent for the node, but is kept.
  const startup = text.endsWith('\n') || addresses.length > 0 ? rest : text;
  return { ...(addresses.length === 0 ? {} : { addresses }), ...(startup === '' ? {} : { startup }) };
};
