import type { Capture } from '../../events/fields.ts';
import type { LinkRecord } from '../../projections/records.ts';
import type { Caller, LinkAddress, PortAddress } from '../caller.ts';

export interface CaptureInput {
  capture_file_name?: string;
  data_link_type?: string;
}

export interface CaptureCommands {
  startNodeCapture(caller: Caller, at: PortAddress, input: CaptureInput): Promise<Capture>;
  stopNodeCapture(caller: Caller, at: PortAddress): Promise<void>;
  startLinkCapture(caller: Caller, at: LinkAddress, input: CaptureInput): Promise<LinkRecord>;
  stopLinkCapture(caller: Caller, at: LinkAddress): Promise<LinkRecord>;
  /** Makes sure that what has been captured so far is in the file. */
  flushCapture(port: Omit<PortAddress, 'project_id'>): Promise<void>;
}
