import { replaceSecrets } from '../../common/lab-secrets/texts.ts';

const SECRET = /password|secret|token|iourc/i;

const LEFT_OUT = '[left out]';

/** A copy whose secrets are `[left out]`: what is kept for good must not have them. As deep as a body may be. */
export const withoutSecrets = <T>(value: T): T => leftOut(replaceSecrets(value, () => LEFT_OUT)) as T;

const leftOut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(leftOut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET.test(key) ? LEFT_OUT : leftOut(item)]),
  );
};
