import { z } from 'zod';
import { field, type Fields, text } from '../kit/fields.ts';

/** Address, with a prefix length where it is not /24, and a gateway where one is needed: `10.0.0.5/24 10.0.0.1`. */
const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ADDRESS = `${OCTET}(\\.${OCTET}){3}`;
const source = z
  .string()
  .regex(
    new RegExp(`^(${ADDRESS}(/(3[0-2]|[12]?\\d))?( ${ADDRESS})?)?$`),
    'must be an IPv4 address such as 10.0.0.5/24',
  );

export const fields: Fields = {
  ip_address: field(source, ''),
  /** Address or host name that a start without a destination traces. */
  default_destination: field(text, ''),
};

export const startBody = z.strictObject({ destination: text.optional() });
