import type { ExecForm } from '../../../common/forms/check.ts';
import { isPrompt, lastLine } from '../../../common/forms/console-text.ts';
import type { Ran } from '../../../emulators/kit/contract.ts';
import { literally, PATIENCE_MS } from './console.ts';
import type { Eyes } from './eyes.ts';

/** Why nothing was typed: nobody can say. */
export interface NotTyped {
  holds: null;
  problem: string;
}

/** End of a command that was typed. `code` undefined: its console does not tell. */
export type Typed = Omit<Ran, 'code'> & { code?: number | null };

export type Login = Pick<ExecForm, 'user' | 'password'>;

/** Line that waits for a command, a user or a password. */
const WAITS = String.raw`(?:[>#$%]|[Ll]ogin:|[Uu]ser ?[Nn]ame:|[Pp]assword:) *$`;
const USER = /(?:login|user ?name): *$/i;
const PASSWORD = /password: *$/i;
/** Lines until a prompt: Return, user, password, Return behind a greeting. */
const MOST_LINES = 5;
/** Prompts of systems whose commands have no exit code: `R1(config)#`, `PC1> `. */
const NO_CODE = /^[\w.-]+(?:\([\w-]+\))?(?:[>#]|> )$/;

/** Presses Return, logs in where the console asks for it, and learns its prompt. */
export const learnPrompt = async (eyes: Eyes, nodeId: string, login: Login = {}): Promise<string | NotTyped> => {
  const name = nameOf(eyes, nodeId);
  let type = '';
  for (let lines = 0; lines < MOST_LINES; lines += 1) {
    const said = await typeAt(eyes, nodeId, { type, until: WAITS, ms: PATIENCE_MS });
    if ('problem' in said) return said;
    const line = lastLine(said.text);
    const [wanted, field] = USER.test(line)
      ? [login.user, 'user']
      : PASSWORD.test(line)
        ? [login.password, 'password']
        : ['', ''];
    if (wanted === undefined)
      return notTyped(`the console of ${name} asks for a ${field}, which the check does not have`);
    if (field === '' && isPrompt(line)) return line;
    type = wanted;
  }
  return notTyped(`the console of ${name} shows no prompt`);
};

/** Runs a line at the prompt of a console. */
export const runTyped = async (
  eyes: Eyes,
  nodeId: string,
  { line, ms, ...login }: { line: string; ms: number } & Login,
): Promise<Typed | NotTyped> => {
  const prompt = await learnPrompt(eyes, nodeId, login);
  if (typeof prompt !== 'string') return prompt;
  const until = `^${literally(prompt.trimEnd())} *$`;
  const said = await typeAt(eyes, nodeId, { type: line, until, ms });
  if ('problem' in said) return said;
  const output = said.text.slice(0, said.text.length - lastLine(said.text).length).trim();
  const ran = { output, stdout: output };
  if (!said.isFound) return { ...ran, code: null, isLate: true };
  if (NO_CODE.test(prompt)) return ran;
  const asked = await typeAt(eyes, nodeId, { type: 'echo "=$?"', until: '^=[0-9]+', ms: PATIENCE_MS });
  const [, code] = 'problem' in asked ? [] : (/^=(\d+)/m.exec(asked.text) ?? []);
  return code === undefined ? ran : { ...ran, code: Number(code) };
};

const typeAt = async (
  eyes: Eyes,
  node_id: string,
  { type, until, ms }: { type: string; until: string; ms: number },
): Promise<{ text: string; isFound: boolean } | NotTyped> => {
  const name = nameOf(eyes, node_id);
  const answer = await eyes.questions.console({ node_id, type, until, timeout_ms: ms, silence_ms: ms });
  if (answer === null) return notTyped(`the console of ${name} did not answer`);
  const { text, isFound, problem } = answer;
  return problem === null ? { text, isFound } : notTyped(`at the console of ${name}: ${problem}`);
};

const notTyped = (problem: string): NotTyped => ({ holds: null, problem });

const nameOf = ({ context }: Eyes, id: string): string => context.committed.get('node', id)?.name ?? id;
