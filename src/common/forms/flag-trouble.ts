import { messageOf } from '../errors.ts';
import { meantBy } from './meant-by.ts';

/** What `parseArgs` says of arguments, with the flags that an unknown one may have been meant for. */
export const flagTroubleOf = (error: unknown, options: object): string => {
  // Node goes on with advice about arguments that begin with a dash.
  const message = messageOf(error).replace(/\. To specify a positional [^]*$/, '');
  const [, flag = ''] = /^Unknown option '--(.+)'$/.exec(message) ?? [];
  const meant = meantBy(flag, Object.keys(options)).map((name) => `--${name}`);
  return meant.length === 0 ? message : `${message}; did you mean ${meant.join(' or ')}?`;
};
