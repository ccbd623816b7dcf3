/** A flag of the server for one kind. */
interface KindOption {
  flag: string;
  /** Placeholder of its value in the help. */
  value: string;
  /** A value as it is written. */
  form: string;
  help: string;
}

/** Values of these flags at the start of the server, by flag. */
export type KindOptions = Readonly<Record<string, string>>;

/** Address of the container service; without it, `DOCKER_HOST` or one of the usual places. */
export const CONTAINER_SERVICE: KindOption = {
  flag: 'docker-host',
  value: 'URL',
  form: 'unix:///path',
  help: 'container service, unix:///path ($DOCKER_HOST, then where Docker and Podman listen)',
};

/** Flags of all kinds. Apart from the kinds, as every command reads flags. */
export const KIND_OPTIONS: readonly KindOption[] = [CONTAINER_SERVICE];

/** Options for `parseArgs`. */
export const KIND_FLAGS = Object.fromEntries(KIND_OPTIONS.map(({ flag }) => [flag, { type: 'string' as const }]));

/** Picks the flags of kinds from all flags. */
export const kindOptionsOf = (values: Readonly<Record<string, unknown>>): KindOptions =>
  Object.fromEntries(
    KIND_OPTIONS.flatMap(({ flag }) => {
      const value = values[flag];
      return typeof value === 'string' ? [[flag, value]] : [];
    }),
  );
