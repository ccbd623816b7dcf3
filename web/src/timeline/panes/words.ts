/** A time of the session as people read it, with its seconds. */
export const sayMoment = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const sayClock = (time: number): string => new Date(time).toLocaleTimeString();

/** `3 changes`, `1 change`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
