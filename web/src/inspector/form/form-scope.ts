import { createContext, useContext } from 'react';
import type { Client } from 'topolog/client';
import type { ImagePlace } from '../edit/images.ts';

/** Functions with which the fields of a form ask the server. */
export interface FormScope {
  readonly client: Client;
  /** Where the images are of what is edited; null: it has none. */
  readonly images: ImagePlace | null;
}

export const FormContext = createContext<FormScope | null>(null);

export const useFormScope = (): FormScope => {
  const scope = useContext(FormContext);
  if (scope === null) throw new Error('outside of a form');
  return scope;
};
