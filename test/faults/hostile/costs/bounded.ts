import type { Operation } from '../../../fuzz/document.ts';
import { COSTS } from './list.ts';

/** Of every operation of the interface: what bounds its cost. Most are about one thing; the others are in a list. */

const P = '/v2/projects/{project_id}';
const C = '/v2/compute';

/** By what bounds them; what `costs` asks for as costly as it can be made is in its own list. */
const BOUNDED: Readonly<Record<string, readonly string[]>> = {
  'one record, whatever is in its project': [
    ...['GET', 'PUT'].map((method) => `${method} ${P}`),
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} ${C}/projects/{project_id}`),
  ],
  'the server itself: its answer does not grow with a lab': [
    ...['GET /v2/version', 'POST /v2/version', `GET ${C}/version`, 'GET /v2/ready', 'GET /v2/labs/schema'],
    ...['GET /v2/login', 'POST /v2/login', 'DELETE /v2/login', 'POST /v2/reload', 'POST /v2/handover'],
    ...['POST /v2/shutdown', 'POST /v2/debug', `GET ${C}/debug`, `GET ${C}/statistics`, `GET ${C}/capabilities`],
    ...[`GET ${C}/controller`, `PUT ${C}/controller`, `DELETE ${C}/controller`, `GET ${C}/network/interfaces`],
    ...['GET /v2/gns3vm', 'PUT /v2/gns3vm', 'GET /v2/gns3vm/engines', 'GET /v2/iou_license', 'PUT /v2/iou_license'],
    ...['machine_emulator/binaries', 'machine_emulator/img-binaries', 'machine_emulator/capabilities'].map(
      (what) => `GET ${C}/${what}`,
    ),
  ],
  'what an administrator has put there: computes, templates, symbols, images, appliances': [
    ...['GET /v2/computes', 'GET /v2/templates', 'GET /v2/symbols', 'GET /v2/default_symbols', 'GET /v2/appliances'],
    ...['GET /v2/catalogue/images', 'GET /v2/catalogue/symbols', 'POST /v2/catalogue/appliances'],
    ...[
      'GET /v2/symbols/{symbol_id}/raw',
      'POST /v2/symbols/{symbol_id}/raw',
      'GET /v2/symbols/{symbol_id}/dimensions',
    ],
    ...['DELETE /v2/catalogue/images/{emulator}/{filename}', 'DELETE /v2/catalogue/symbols/{symbol_id}'],
    ...['machine_emulator', 'container', 'router_emulator', 'switch_router_emulator'].map(
      (k) => `GET ${C}/${k}/images`,
    ),
    ...[`PUT ${C}/machine_emulator/img`, `GET ${C}/desktop_vm_a/vms`, `GET ${C}/desktop_vm_b/vms`],
  ],
  'a file, read and written as a stream': [
    ...[`GET ${P}/files/{path}`, `POST ${P}/files/{path}`, `GET ${C}/projects/{project_id}/files/{path}`],
    ...[`POST ${C}/projects/{project_id}/files/{path}`, `GET ${C}/projects/{project_id}/files`, `GET ${P}/captures`],
    ...['router_emulator', 'switch_router_emulator', 'machine_emulator'].flatMap((kind) =>
      ['GET', 'POST'].map((method) => `${method} ${C}/${kind}/images/{filename}`),
    ),
    ...['files/{path}', 'recordings', 'recordings/{recording_name}'].map((file) => `GET ${P}/nodes/{node_id}/${file}`),
    `POST ${P}/nodes/{node_id}/files/{path}`,
  ],
  'a page of a capture, read in slices': [
    ...[`GET ${P}/packets`, `GET ${P}/captures/{capture_name}/packets`],
    ...['conversation', 'journey'].map((what) => `GET ${P}/captures/{capture_name}/packets/{packet_number}/${what}`),
    ...[`GET ${P}/captures/{capture_name}/packets/{packet_number}`, `GET ${P}/captures/{capture_name}/conversations`],
  ],
  'a feed: 500 listeners, and a bound of what waits for each': [
    ...['GET /v2/notifications', 'GET /v2/notifications/ws', `GET ${C}/notifications/ws`, `GET ${P}/wait`],
    ...[`GET ${P}/notifications`, `GET ${P}/notifications/ws`, `GET ${P}/links/{link_id}/packets`],
  ],
  'every project, or every node of one, a few in a turn of the event loop': [
    ...['GET /v2/projects', `GET ${C}/projects`, `GET ${C}/projects/{project_id}/nodes`, `GET ${C}/network/ports`],
    ...['suspend', 'reload', 'console/reset', 'move'].map((what) => `POST ${P}/nodes/${what}`),
    ...[`POST ${P}/configs/collect`, `POST ${C}/projects/{project_id}/close`],
  ],
  'lists of a project of at most 1,024 items': [
    ...['checks', 'stages', 'results', 'snapshots', 'weather', 'replays'].map((list) => `GET ${P}/${list}`),
    ...[`PUT ${P}/weather`, ...['start', 'skip', 'pause', 'resume', 'end'].map((what) => `POST ${P}/weather/${what}`)],
  ],
};

const listed = new Set([...Object.values(BOUNDED).flat(), ...COSTS.flatMap(({ of }) => of)]);

/** Names of one thing, and not of something that has any size. */
const ONE =
  /\{(?:node|link|drawing|template|compute|check|weather|snapshot|replay)_id\}|\{(?:engine|position|emulator)\}/;
const ANY_SIZE = /\{(?:path|filename|\w+_name)\}|history$/;

/** About one thing, or it makes one: its body has a megabyte at most. */
const isOfOne = ({ method, path, statuses }: Operation): boolean =>
  (ONE.test(path) && !ANY_SIZE.test(path)) || (method === 'POST' && statuses.has(201));

/** What has no bound here: a new operation is about one thing, or somebody has thought of its cost. */
export const withoutBound = (operations: readonly Operation[]): string[] =>
  operations
    .filter((one) => !isOfOne(one))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => !listed.has(operation));

/** What is in the lists and is no operation any more. */
export const unknownIn = (operations: readonly Operation[]): string[] => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return [...listed].filter((operation) => !known.has(operation));
};
