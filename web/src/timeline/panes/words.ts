/** A time of the session as people read it, with its seconds. */
export const sayMoment = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const sayClock = (time: number): string => new Date(time).toLocaleTimeString();
