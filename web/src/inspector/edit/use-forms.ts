import { useEffect, useState } from 'react';
import type { Client } from '../../store/api.ts';
import { sentenceOf } from '../../store/notices.ts';
import { type Forms, readForms } from './document.ts';

/** Forms of the server's records, once they are read. */
export const useForms = (client: Client): { readonly forms: Forms | null; readonly problem: string | null } => {
  const [state, setState] = useState<{ forms: Forms | null; problem: string | null }>({ forms: null, problem: null });
  useEffect(() => {
    let isWanted = true;
    readForms(client).then(
      (forms) => {
        if (isWanted) setState({ forms, problem: null });
      },
      (error: unknown) => {
        if (isWanted) setState({ forms: null, problem: sentenceOf(error) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [client]);
  return state;
};
