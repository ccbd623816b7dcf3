/** Promise.withResolvers, which Node 20 does not have. */
export const withResolvers = <T = void>() => {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
};
