import type { Filters, Label, LinkFields } from '../../events/fields.ts';
import type { LinkRecord } from '../../projections/records.ts';
import type { Caller, LinkAddress } from '../caller.ts';

export interface LinkInput {
  link_id?: string;
  nodes: { node_id: string; adapter_number: number; port_number: number; label?: Label }[];
  suspend?: boolean;
  filters?: Filters;
  link_style?: Record<string, unknown>;
  /** Of a link that comes back: what no client says. */
  kept?: Pick<LinkFields, 'extra' | 'as_read'>;
}

export interface LinkChanges {
  /** Only labels can change: ends stay where they are. */
  nodes?: { node_id: string; label?: Label }[];
  suspend?: boolean;
  filters?: Filters;
  link_style?: Record<string, unknown>;
}

export interface LinkCommands {
  createLink(caller: Caller, projectId: string, input: LinkInput): Promise<LinkRecord>;
  updateLink(caller: Caller, at: LinkAddress, changes: LinkChanges): Promise<LinkRecord>;
  deleteLink(caller: Caller, at: LinkAddress): Promise<void>;
}
