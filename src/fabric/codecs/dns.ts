/** Domain Name System messages, RFC 1035: questions and answers, enough for a stub resolver of A and AAAA records. */
import { concat, get16, get32, get8, put16, put32 } from './bytes.ts';

export const DNS_PORT = 53;
export const DNS_TYPE_A = 1;
/** RFC 3596. */
export const DNS_TYPE_AAAA = 28;
export const DNS_CLASS_IN = 1;

interface DnsQuestion {
  /** Without a final dot. */
  name: string;
  type: number;
  class: number;
}

interface DnsAnswer extends DnsQuestion {
  /** Seconds. */
  ttl: number;
  data: Uint8Array;
}

interface DnsMessage {
  id: number;
  response: boolean;
  truncated: boolean;
  recursionDesired: boolean;
  /** RCODE: 0 no error, 3 no such name. */
  status: number;
  questions: DnsQuestion[];
  answers: DnsAnswer[];
}

const HEADER = 12;
/** A message has room for fewer than this; a hostile count must not cost more. */
const MOST_RECORDS = 512;
const LONGEST_NAME = 255;

export function encodeDns(message: DnsMessage): Uint8Array {
  const header = new Uint8Array(HEADER);
  put16(header, 0, message.id);
  const flags = (message.response ? 0x8000 : 0) | (message.truncated ? 0x0200 : 0);
  put16(header, 2, flags | (message.recursionDesired ? 0x0100 : 0) | message.status);
  put16(header, 4, message.questions.length);
  put16(header, 6, message.answers.length);
  return concat(header, ...message.questions.map(encodeQuestion), ...message.answers.map(encodeAnswer));
}

export function decodeDns(bytes: Uint8Array): DnsMessage | null {
  const [questionCount, answerCount] = [get16(bytes, 4), get16(bytes, 6)];
  if (bytes.length < HEADER || questionCount + answerCount > MOST_RECORDS) return null;
  const flags = get16(bytes, 2);
  const questions: DnsQuestion[] = [];
  const answers: DnsAnswer[] = [];
  let at = HEADER;
  while (questions.length < questionCount) {
    const question = decodeQuestion(bytes, at);
    if (question === null) return null;
    questions.push(question.value);
    at = question.end;
  }
  while (answers.length < answerCount) {
    const answer = decodeAnswer(bytes, at);
    if (answer === null) return null;
    answers.push(answer.value);
    at = answer.end;
  }
  return {
    id: get16(bytes, 0),
    response: (flags & 0x8000) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursionDesired: (flags & 0x0100) !== 0,
    status: flags & 0x0f,
    questions,
    answers,
  };
}

/** Whether a name can be queried: labels of 1 to 63 printable ASCII characters, 253 in all. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[!-~]{1,63}$/.test(label));

function encodeName(name: string): Uint8Array {
  const labels = name === '' ? [] : name.split('.');
  const parts = labels.map((label) => concat(Uint8Array.of(label.length), Buffer.from(label, 'latin1')));
  return concat(...parts, Uint8Array.of(0));
}

function encodeQuestion(question: DnsQuestion): Uint8Array {
  const tail = new Uint8Array(4);
  put16(tail, 0, question.type);
  put16(tail, 2, question.class);
  return concat(encodeName(question.name), tail);
}

function encodeAnswer(answer: DnsAnswer): Uint8Array {
  const tail = new Uint8Array(6);
  put32(tail, 0, answer.ttl);
  put16(tail, 4, answer.data.length);
  return concat(encodeQuestion(answer), tail, answer.data);
}

/** Name, type and class, which questions and answers begin with. */
function decodeQuestion(bytes: Uint8Array, start: number): { value: DnsQuestion; end: number } | null {
  const name = decodeName(bytes, start);
  if (name === null || bytes.length < name.end + 4) return null;
  const value = { name: name.text, type: get16(bytes, name.end), class: get16(bytes, name.end + 2) };
  return { value, end: name.end + 4 };
}

function decodeAnswer(bytes: Uint8Array, start: number): { value: DnsAnswer; end: number } | null {
  const head = decodeQuestion(bytes, start);
  if (head === null || bytes.length < head.end + 6) return null;
  const data = head.end + 6;
  const end = data + get16(bytes, head.end + 4);
  if (bytes.length < end) return null;
  return { value: { ...head.value, ttl: get32(bytes, head.end), data: bytes.subarray(data, end) }, end };
}

/**
 * A pointer (two bytes, top bits 11) goes backwards only and labels add up to a longest name, so that no loop is endless.
 */
function decodeName(bytes: Uint8Array, start: number): { text: string; end: number } | null {
  const labels: string[] = [];
  let at = start;
  let end: number | null = null;
  let length = 0;
  while (at < bytes.length) {
    const size = get8(bytes, at);
    if (size === 0) return { text: labels.join('.'), end: end ?? at + 1 };
    if (size >= 0xc0) {
      const target = get16(bytes, at) & 0x3fff;
      if (target >= at) return null;
      end ??= at + 2;
      at = target;
      continue;
    }
    length += size + 1;
    if (size > 63 || length > LONGEST_NAME) return null;
    labels.push(Buffer.from(bytes.subarray(at + 1, at + 1 + size)).toString('latin1'));
    at += size + 1;
  }
  return null;
}
