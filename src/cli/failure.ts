import { messageOf, TopologError } from '../common/errors.ts';
import { printableMessage } from './printable.ts';
import { USAGE } from './source.ts';

/** Makes the text on standard error of a command that failed, and its exit code: 2 for wrong input, otherwise 1. */
export const failureOf = (error: unknown, [name = '', ...args]: readonly string[]): { code: 1 | 2; text: string } => {
  const details = error instanceof TopologError ? error.details : {};
  const also = (details['also'] as string[] | undefined) ?? [];
  const help = details['isOfFlags'] === true ? `; see topolog help ${name}` : '';
  const lines = [`${atTerminal(messageOf(error), args)}${help}`, ...also].map((message) => {
    const by = message.startsWith(USAGE) ? '' : 'topolog: ';
    return `${by}${printableMessage(message)}\n`;
  });
  // Also where the server said so.
  return { code: (error as { status?: unknown }).status === 400 ? 2 : 1, text: lines.join('') };
};

/** There is a command, and no request; a field of the interface that was given as a flag is that flag. */
const atTerminal = (message: string, args: readonly string[]): string => {
  const said = message.replace(/^The request is not valid: /, '');
  // A parameter of the interface that its sentence names is a flag here.
  if (said.includes('; new_id=true loads it beside')) return said.replace('new_id=true', '--new-id');
  const [, field = ''] = /^([a-z_]+) must /.exec(said) ?? [];
  const isFlag = field !== '' && args.some((arg) => arg === `--${field}` || arg.startsWith(`--${field}=`));
  return `${isFlag ? '--' : ''}${said}`;
};
