import { z } from 'zod';

const dataLinkType = z.enum(['DLT_ATM_RFC1483', 'DLT_EN10MB', 'DLT_FRELAY', 'DLT_C_HDLC', 'DLT_PPP_SERIAL']);

/** A bare name: the file always lies in the project's captures directory. */
const fileName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..', 'must be a file name without directories');

export const nodeCapture = z.strictObject({
  capture_file_name: fileName,
  data_link_type: dataLinkType.exactOptional(),
});
export const linkCapture = z.strictObject({
  capture_file_name: fileName.exactOptional(),
  data_link_type: dataLinkType.exactOptional(),
});
export const captureResult = z.strictObject({ pcap_file_path: z.string() });
