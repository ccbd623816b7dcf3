import { type Command, type CommandContext, findDestination, isNumber } from '../command.ts';

const DEFAULT_PORT = 80;
const MOST_TEXT = 200;

export const httpCommand: Command = {
  name: 'http',
  usage: '[on|off|get …]',
  summary: 'Answer HTTP, or ask for it',
  help: `
http                              Ports that answer
http on [<port>] [<text>]         Answers every request at the port (80) with the text, else the name
http off [<port>]                 Answers no more
http get <host> [<port>] [<path>] Asks, and shows what is answered
`,
  async run(context, [word, ...rest]) {
    if (word === undefined) return list(context);
    if (word === 'get') return get(context, rest);
    const [first, ...others] = rest;
    const port = isNumber(first) ? Number(first) : DEFAULT_PORT;
    if (port < 1 || port > 65_535) return context.print('Invalid port, should be 1 to 65535\n');
    if (word === 'off') return off(context, port);
    if (word !== 'on') return context.print(httpCommand.help);
    const text = (isNumber(first) ? others : rest).join(' ').slice(0, MOST_TEXT);
    context.host.http.serve(port, text === '' ? context.settings.name : text);
    return context.print(`Answers HTTP at port ${port}\n`);
  },
};

/** The lines of a configuration that make it answer again. */
export const httpLines = ({ host, settings }: Pick<CommandContext, 'host' | 'settings'>): string[] =>
  [...host.http.served].map(([port, text]) => `http on ${port}${text === settings.name ? '' : ` ${text}`}`);

function list(context: CommandContext): void {
  const lines = [...context.host.http.served].map(([port, text]) => `${port}  ${text}\n`);
  context.print(lines.length === 0 ? 'No port answers HTTP\n' : lines.join(''));
}

function off(context: CommandContext, port: number): void {
  if (context.host.http.served.has(port)) context.host.http.unserve(port);
  else context.print(`Port ${port} does not answer HTTP\n`);
}

async function get(context: CommandContext, [host, ...rest]: readonly string[]): Promise<void> {
  const [first] = rest;
  const port = isNumber(first) ? Number(first) : DEFAULT_PORT;
  const path = (isNumber(first) ? rest[1] : first) ?? '/';
  if (host === undefined || !path.startsWith('/')) return context.print(httpCommand.help);
  const address = await findDestination(context, host);
  if (address === null || context.signal.aborted) return;
  const found = await context.host.http.get({ address, host, port, path }, context.signal);
  // No control character of another node reaches the terminal.
  if ('answer' in found) context.print(found.answer.replace(/\r\n/g, '\n').replace(/(?!\n)\p{Cc}/gu, ''));
  else context.print(`${host} port ${port}: ${found.problem}\n`);
}
