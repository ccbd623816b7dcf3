import { t } from '../../words/words.ts';
import type { Entry } from '../server.ts';
import { refusedSentence } from './refused.ts';
import type { Say } from './sentence.ts';
import { brief } from './subject.ts';

const text = (entry: Entry, key: string): string => brief(entry.data[key] ?? '');
const withWhy = (sentence: string, why: string): string => (why === '' ? sentence : `${sentence}: ${why}`);

/** What happens around labs: the server, computes, templates, images. */
export const SERVER: Readonly<Record<string, Say>> = {
  'server.started': () => t('The server started'),
  'server.stopped': () => t('The server stopped'),
  'server.took_over': (entry) => t('The server {name} took over', { name: text(entry, 'name') }),
  'request.refused': refusedSentence,
  'request.keyed': (_, { who }) => t('{who} made a request with a key', { who }),
  'request.answered': () => t('The request with a key was answered'),
  'event.lost': () => t('An event was lost'),
  'log.repaired': () => t('The log was repaired'),
  'warning.raised': (_, { why }) => t('Warning: {why}', { why }),
  'image.uploaded': (entry, { who }) => t('{who} uploaded the image {name}', { who, name: text(entry, 'filename') }),
  'image.deleted': (entry, { who }) => t('{who} deleted the image {name}', { who, name: text(entry, 'filename') }),
  'operation.requested': (entry, { who, name }) =>
    t('{who} asked for {operation} of {name}', { who, name, operation: text(entry, 'operation').replaceAll('_', ' ') }),
  'operation.finished': (entry, { name, why }) => {
    const operation = text(entry, 'operation').replaceAll('_', ' ');
    return why === ''
      ? t('{operation} of {name} is done', { name, operation })
      : withWhy(t('{operation} of {name} failed', { name, operation }), why);
  },
  'compute.added': (_, { who, name }) => t('{who} added the compute {name}', { who, name }),
  'compute.updated': (_, { who }) => t('{who} changed a compute', { who }),
  'compute.removed': (_, { who }) => t('{who} removed a compute', { who }),
  'compute.connected': () => t('A compute is connected'),
  'compute.disconnected': (_, { why }) => withWhy(t('A compute is away'), why),
  'compute.claimed': () => t('Another server controls this one'),
  'compute.released': () => t('No other server controls this one any more'),
  'template.created': (_, { who, name }) => t('{who} made the template {name}', { who, name }),
  'template.updated': (_, { who }) => t('{who} changed a template', { who }),
  'template.deleted': (_, { who }) => t('{who} deleted a template', { who }),
  'symbol.stored': (entry, { who }) => t('{who} stored the symbol {name}', { who, name: text(entry, 'file') }),
  'symbol.deleted': (entry, { who }) => t('{who} deleted the symbol {name}', { who, name: text(entry, 'file') }),
  'license.changed': (_, { who }) => t('{who} changed a licence', { who }),
};
