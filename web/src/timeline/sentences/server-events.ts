import { t } from '../../words/words.ts';
import type { Entry } from '../server.ts';
import { brief, isText, type Say, text, withWhy } from './subject.ts';

interface Wished {
  readonly who: string;
  readonly name: string;
}

const change = (words: Wished): string => t('{who} could not change {name}', { ...words });
const remove = (words: Wished): string => t('{who} could not delete {name}', { ...words });
const weather = ({ who }: Wished): string => t('{who} could not change the weather', { who });
const checks = ({ who }: Wished): string => t('{who} could not change the checks', { who });

/** Sentences for requests, by method and the part of the route behind the project. */
const WISHES: Readonly<Record<string, (words: Wished) => string>> = {
  'POST /nodes': ({ who }) => t('{who} could not add a node', { who }),
  'POST /links': ({ who }) => t('{who} could not add a link', { who }),
  'POST /drawings': ({ who }) => t('{who} could not add a drawing', { who }),
  'POST /snapshots': ({ who }) => t('{who} could not make a snapshot', { who }),
  'POST /snapshots/{snapshot_id}/restore': (words) => t('{who} could not restore {name}', { ...words }),
  'POST /nodes/start': ({ who }) => t('{who} could not start all nodes', { who }),
  'POST /nodes/stop': ({ who }) => t('{who} could not stop all nodes', { who }),
  'POST /nodes/{node_id}/start': (words) => t('{who} could not start {name}', { ...words }),
  'POST /nodes/{node_id}/stop': (words) => t('{who} could not stop {name}', { ...words }),
  'POST /nodes/{node_id}/suspend': (words) => t('{who} could not suspend {name}', { ...words }),
  'POST /nodes/{node_id}/reload': (words) => t('{who} could not reload {name}', { ...words }),
  'POST /nodes/{node_id}/duplicate': (words) => t('{who} could not duplicate {name}', { ...words }),
  'POST /links/{link_id}/start_capture': (words) => t('{who} could not start a capture of {name}', { ...words }),
  'PUT /nodes/{node_id}': change,
  'PUT /links/{link_id}': change,
  'PUT /drawings/{drawing_id}': change,
  'DELETE /nodes/{node_id}': remove,
  'DELETE /links/{link_id}': remove,
  'DELETE /drawings/{drawing_id}': remove,
  'DELETE /snapshots/{snapshot_id}': remove,
  'PUT /weather': weather,
  'POST /weather': weather,
  'PUT /weather/{weather_id}': weather,
  'DELETE /weather/{weather_id}': weather,
  'POST /weather/start': ({ who }) => t('{who} could not start the weather', { who }),
  'POST /checks': checks,
  'PUT /checks/{check_id}': checks,
  'DELETE /checks/{check_id}': checks,
  'POST /lab': ({ who }) => t('{who} could not apply a text', { who }),
  'POST /undo': ({ who }) => t('{who} could not undo', { who }),
  'POST /redo': ({ who }) => t('{who} could not redo', { who }),
  'POST /restore': ({ who }) => t('{who} could not restore what was', { who }),
  'POST /open': ({ who }) => t('{who} could not open the project', { who }),
  'POST /close': ({ who }) => t('{who} could not close the project', { who }),
  'PUT ': ({ who }) => t('{who} could not change the project', { who }),
  'DELETE ': ({ who }) => t('{who} could not delete the project', { who }),
};

/** `ada could not start R1: its image is missing`. What has no words of its own goes by its route. */
const refusedSentence: Say = (entry, { who, name, why }) => {
  const wish = wishOf(entry);
  const say = WISHES[wish];
  const sentence =
    say === undefined ? t('{who} was refused {request}', { who, request: brief(wish) }) : say({ who, name });
  return why === '' ? sentence : `${sentence}: ${why}`;
};

const wishOf = ({ data: { method, route, path } }: Pick<Entry, 'data'>): string => {
  const place = isText(route) ? route : isText(path) ? path : '';
  return `${isText(method) ? method : ''} ${place.replace(/^\/v2\/projects\/\{project_id\}/, '')}`;
};

/** Events around labs: the server, computes, templates, images. */
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
