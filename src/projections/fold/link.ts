import type { EventType } from '../../events/schemas.ts';
import type { RecordView } from '../records.ts';
import { CAPTURE_EVENTS, CAPTURE_STATES, type CaptureEventType } from '../states.ts';
import {
  type EventOf,
  type Folds,
  gone,
  link,
  merge,
  onLink,
  onNode,
  portKey,
  type RecordChange,
  without,
} from './change.ts';

const NO_CAPTURE = { file_name: '', path: '', data_link_type: '' };

/** Off takes a port's entry away; a link keeps its last file. */
const captures = (view: RecordView, event: EventOf<CaptureEventType>): RecordChange[] => {
  const state = CAPTURE_EVENTS[event.type].to;
  const { link_id, node_id, adapter_number, port_number } = event.data;
  if (link_id !== null)
    return onLink(view, link_id, (r) => {
      if (event.type !== 'capture.start_requested') return { ...r, state: CAPTURE_STATES[state].shown };
      const { file_name, path, data_link_type } = event.data;
      const capture = { file_name, path, data_link_type, node_id, adapter_number, port_number };
      return { ...r, state: CAPTURE_STATES[state].shown, capture };
    });
  const key = portKey(event.data);
  return onNode(view, node_id, (r) => {
    if (state === 'off') return { ...r, captures: without(r.captures, key) };
    const known = r.captures[key];
    const { file_name, path, data_link_type } =
      event.type === 'capture.start_requested' ? event.data : (known ?? NO_CAPTURE);
    return { ...r, captures: { ...r.captures, [key]: { file_name, path, data_link_type, state } } };
  });
};

export const linkFolds: Folds<Extract<EventType, `link.${string}` | `capture.${string}`>> = {
  'link.created': (_view, { data }) => link({ ...data, state: 'idle', capture: null }),
  'link.updated': (view, { data: { link_id, changes } }) =>
    onLink(view, link_id, (r) => {
      const { weather, ...more } = changes;
      const { weather: before, ...record } = merge(r, more);
      const now = weather === undefined ? before : weather;
      return { ...record, ...(now == null ? {} : { weather: now }) };
    }),
  'link.deleted': (_view, { data }) => gone('link', data.link_id),
  'link.restored': (_view, { data }) => link({ ...data, state: 'idle' }),
  'link.tunnel_made': (view, { data }) =>
    onLink(view, data.link_id, ({ joined: _, ...r }) => ({ ...r, tunnel: data.ends })),
  'link.tunnel_joined': (view, { data }) => onLink(view, data.link_id, (r) => ({ ...r, joined: true })),
  'link.unproved': (view, { data }) => onLink(view, data.link_id, (r) => ({ ...r, unproved: data.reason })),
  'link.proved': (view, { data }) => onLink(view, data.link_id, ({ unproved: _, ...r }) => r),
  'capture.start_requested': captures,
  'capture.started': captures,
  'capture.failed': captures,
  'capture.stop_requested': captures,
  'capture.stopped': captures,
};
