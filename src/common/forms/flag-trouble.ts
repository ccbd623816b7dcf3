import { invalid, messageOf, type TopologError } from '../errors.ts';
import { meantBy } from './meant-by.ts';

/**
 * Explains an error of `parseArgs`, with the flags that an unknown one may have been meant for. `isOfFlags` in its details: the help of
 * the command says more.
 */
export const flagTroubleOf = (error: unknown, options: object): TopologError => {
  // Node goes on with advice about arguments that begin with a dash.
  const message = messageOf(error).replace(/\. To specify a positional [^]*$/, '');
  const [, flag = ''] = /^Unknown option '--(.+)'$/.exec(message) ?? [];
  const meant = meantBy(flag, Object.keys(options)).map((name) => `--${name}`);
  if (meant.length > 0) return invalid(`${message}; did you mean ${meant.join(' or ')}?`);
  return invalid(message, { isOfFlags: true });
};
