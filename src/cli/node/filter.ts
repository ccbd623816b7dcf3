import { partsOf, reverseFilters } from '../../common/forms/filters.ts';
import { invalid } from '../../common/errors.ts';
import { FILTER_DESCRIPTIONS } from '../../fabric/filters/filters.ts';
import { wrongUsage } from '../source.ts';
import { labCommandWith } from '../lab/lab-command.ts';
import { ENDS_HELP, linkNamed } from './links.ts';
import { linkRow } from '../lab/rows.ts';

type Filters = Record<string, (string | number)[]>;

const USAGE = 'filter NODE[:PORT] NODE[:PORT] | LINK [FILTER=VALUE...] [--clear]';

const listed = FILTER_DESCRIPTIONS.map(({ type, description, parameters }) => {
  const values = parameters.map(({ name, unit }) => (unit === undefined ? name : `${name} ${unit}`)).join(', ');
  return `  ${type.padEnd(15)}${description} (${values})`;
}).join('\n');

/** `topolog filter` */
export const filterCommand = labCommandWith(
  { clear: { type: 'boolean' } },
  {
    usage: USAGE,
    counts: [1, Infinity],
    does: `Puts filters on a link, also while its nodes run; those that are not named stay as they are, and 0 takes one away. Without a filter it tells those there are.
${ENDS_HELP}

  --clear          first take all away

${listed}

A filter acts both ways. With > it acts from the first node that was named to the second alone, with < back; quote that for the shell:

  topolog filter PC1 Switch1 delay=50,10 packet_loss=5
  topolog filter PC1 Switch1 'delay>=50'`,
  },
  async ({ client, wanted, flags: { clear = false } }) => {
    const first = wanted.findIndex((word) => FILTER.test(word));
    const [ends, given] = first < 0 ? [wanted, []] : [wanted.slice(0, first), wanted.slice(first)];
    const stray = [...ends.slice(2), ...given.filter((word) => !FILTER.test(word))];
    if (stray.length > 0)
      throw invalid(`${stray[0] ?? ''} says no value: delay=50, or quoted for the shell: 'delay>=50'`);
    if (ends.length === 0) throw wrongUsage(USAGE);
    const { named, isTurned } = await linkNamed(client, ends);
    const filters = filtersOf(given);
    const kept = clear ? {} : named.link.filters;
    const path = { project_id: named.link.project_id, link_id: named.id };
    const body = { filters: { ...kept, ...(isTurned ? reverseFilters(filters) : filters) } };
    const isChange = clear || given.length > 0;
    const link = isChange ? await client.put('/v2/projects/{project_id}/links/{link_id}', { path, body }) : named.link;
    return { records: link, rows: [linkRow({ ...named, link })] };
  },
);

/** `delay=50,10`, `delay>=50` */
const FILTER = /^([a-z_]+[<>]?)=([^]*)$/;

const filtersOf = (given: readonly string[]): Filters =>
  Object.fromEntries(
    given.map((word) => {
      const [, name = '', value = ''] = FILTER.exec(word) ?? [];
      const [plain] = partsOf(name);
      const takes = FILTER_DESCRIPTIONS.find(({ type }) => type === plain)?.parameters.length ?? 2;
      // The only value of a filter may have commas in it, as an expression has.
      return [name, takes === 1 ? [value] : value.split(',')];
    }),
  );
