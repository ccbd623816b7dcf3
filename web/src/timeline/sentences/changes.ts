import { sayList } from '../../words/format.ts';
import { titleWithin } from '../../words/titles.ts';
import { t } from '../../words/words.ts';
import type { Entry } from '../server.ts';
import { asData, brief, isText, personIn, subjectIn } from './subject.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Titles of fields for people; others as forms have them. */
export const fieldName = (field: string): string => {
  const names: Readonly<Record<string, string>> = {
    symbol: t('the symbol'),
    label: t('the label'),
    locked: t('the lock'),
    properties: t('the settings'),
    console: t('the console port'),
    console_type: t('the type of console'),
    compute_id: t('the compute'),
    custom_adapters: t('the adapters'),
    z: t('the layer'),
    svg: t('the picture'),
    rotation: t('the rotation'),
    link_style: t('the style'),
    nodes: t('the port labels'),
    text_files: t('the start-up files'),
    texts: t('the start-up files'),
    checks: t('the checks'),
    stages: t('the stages'),
    weather: t('the weather'),
  };
  return names[field] ?? titleWithin(field);
};

/** `PC3` became `host124`; a filter; a place; or the fields by name. */
export const updateSentence = (entry: Entry): string => {
  const who = personIn(entry);
  const name = subjectIn(entry);
  const changes = asData(entry.data['changes']);
  if (isText(changes['name']))
    return entry.former === null
      ? t('{who} named it {name}', { who, name: brief(changes['name']) })
      : t('{who} renamed {former} to {name}', { who, former: brief(entry.former), name: brief(changes['name']) });
  if (entry.kind === 'move')
    return t('{who} moved {name}{more, plural, =0 {} one { and # other} other { and # others}}', {
      who,
      name,
      more: entry.count - 1,
    });
  if ('filters' in changes) return filterSentence(entry, asData(changes['filters']));
  // Further changes are told with it.
  const isAlone = Object.keys(changes).length === 1;
  if (isAlone && typeof changes['suspend'] === 'boolean')
    return changes['suspend'] ? t('{who} cut {name}', { who, name }) : t('{who} joined {name} again', { who, name });
  if (isAlone && typeof changes['locked'] === 'boolean')
    return changes['locked'] ? t('{who} locked {name}', { who, name }) : t('{who} unlocked {name}', { who, name });
  const fields = fieldsOf(changes);
  return t('{who} changed {fields} of {name}{more, plural, =0 {} one { and # other} other { and # others}}', {
    who,
    name,
    fields: fields.length === 0 ? t('nothing') : brief(sayList(fields)),
    more: entry.count - 1,
  });
};

/** Settings of a kind go by their own names, as its form has them. */
const fieldsOf = ({ properties, ...changes }: Readonly<Record<string, unknown>>): string[] => {
  const own = Object.keys(asData(properties));
  const inner = own.length > 0 && own.length <= 4 ? own : properties === undefined ? [] : ['properties'];
  const rest = Object.keys(changes).filter((key) => key !== 'x' && key !== 'y');
  return [...new Set([...rest, ...inner].map(fieldName))];
};

/** Says what a link does with its frames from then on. */
const filterSentence = (entry: Entry, filters: Readonly<Record<string, unknown>>): string => {
  const name = subjectIn(entry);
  const told = Object.entries(filters).map(([filter, values]) => {
    const sentence = oneFilter(filter.replace(/[<>]$/, ''), Array.isArray(values) ? values : []);
    return sentence === '' || !/[<>]$/.test(filter) ? sentence : t('{filter} in one direction', { filter: sentence });
  });
  const all = told.filter((one) => one !== '');
  if (all.length === 0) return t('{who} removed the filters of {name}', { who: personIn(entry), name });
  return t('{who}: from now on {name} {filters}', { who: personIn(entry), name, filters: all.join(', ') });
};

const oneFilter = (filter: string, [first, second]: readonly unknown[]): string => {
  if (!isNumber(first)) return isText(first) ? t('drops what fits {expression}', { expression: brief(first) }) : '';
  if (filter === 'delay')
    return isNumber(second) && second > 0
      ? t('delays frames by {ms} ms ± {jitter} ms', { ms: first, jitter: second })
      : t('delays frames by {ms} ms', { ms: first });
  if (filter === 'packet_loss') return t('loses {percent} % of its frames', { percent: first });
  if (filter === 'corrupt') return t('spoils {percent} % of its frames', { percent: first });
  if (filter === 'frequency_drop')
    return first < 0 ? t('drops every frame') : t('drops every {nth}th frame', { nth: first });
  if (filter === 'jitter') return t('varies their time by {ms} ms', { ms: first });
  if (filter === 'reorder') return t('lets {percent} % of its frames pass others', { percent: first });
  if (filter === 'duplicate') return t('doubles {percent} % of its frames', { percent: first });
  if (filter === 'burst_loss') return t('loses frames in bursts');
  if (filter === 'rate') return t('carries {rate} kbit/s', { rate: first });
  return `${filter.replaceAll('_', ' ')} ${first}`;
};
