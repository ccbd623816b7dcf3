import type { Label, LinkFields } from '../../events/fields.ts';
import type { LinkSettings } from '../../model/link.ts';
import type { LinkRecord } from '../../projections/records.ts';
import type { Caller, LinkAddress } from '../caller.ts';

export interface LinkInput extends Partial<LinkSettings> {
  link_id?: string;
  nodes: { node_id: string; adapter_number: number; port_number: number; label?: Label }[];
  /** Of a link that comes back: what no client says. */
  kept?: Pick<LinkFields, 'extra' | 'as_read'>;
}

export interface LinkChanges extends Partial<LinkSettings> {
  /** Only labels can change: ends stay where they are. */
  nodes?: { node_id: string; label?: Label }[];
}

export interface LinkCommands {
  createLink(caller: Caller, projectId: string, input: LinkInput): Promise<LinkRecord>;
  updateLink(caller: Caller, at: LinkAddress, changes: LinkChanges): Promise<LinkRecord>;
  deleteLink(caller: Caller, at: LinkAddress): Promise<void>;
}
