import { plainFieldsOf } from '../../events/fields.ts';
import { pick } from '../../model/derive.ts';
import { DRAWING } from '../../model/drawing.ts';
import { LINK } from '../../model/link.ts';
import type { DrawingRecord, LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import type { DrawingInput } from '../drawing/interface.ts';
import type { LinkInput } from '../link/interface.ts';
import { kindOf } from '../node/fields.ts';
import type { NodeInput } from '../node/interface.ts';

/** What makes an object again as it was, with its id. */

const unread = <T extends { extra: Record<string, unknown>; as_read?: unknown }>({ extra, as_read }: T) =>
  ({ extra, ...(as_read === undefined ? {} : { as_read }) }) as Pick<T, 'extra' | 'as_read'>;

export const nodeAgain = (context: LabContext, record: NodeRecord): NodeInput => {
  const known = Object.keys(kindOf(context, record.kind).properties.shape);
  const { node_id, name, kind, compute_id, template_id, console, console_type, symbol } = record;
  const { port_name_format, port_segment_size, first_port_name, label, width, height, text_files } = record;
  return {
    ...{ node_id, name, kind, compute_id, template_id, console, console_type, symbol, label },
    ...{ port_name_format, port_segment_size, first_port_name },
    custom_adapters: record.custom_adapters as NonNullable<NodeInput['custom_adapters']>,
    properties: Object.fromEntries(Object.entries(record.properties).filter(([key]) => known.includes(key))),
    ...plainFieldsOf(record),
    kept: { label, width, height, ...unread(record), ...(text_files === undefined ? {} : { text_files }) },
  };
};

export const linkAgain = (record: LinkRecord): LinkInput => {
  const { link_id, nodes } = record;
  return { link_id, nodes, ...pick(record, LINK), kept: unread(record) };
};

export const drawingAgain = (record: DrawingRecord): DrawingInput => ({
  drawing_id: record.drawing_id,
  ...pick(record, DRAWING),
  kept: unread(record),
});
