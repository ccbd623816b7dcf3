import { useStore } from '@xyflow/react';
import { type RefObject, useCallback, useEffect } from 'react';

/**
 * Shows everything again when the map gets another size, as long as that is what is shown: a dock that opens hides nothing. Answers what
 * to call when somebody looks elsewhere.
 */
export const useRefit = (fitted: RefObject<boolean>, refit: () => void): (() => void) => {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (fitted.current) refit();
  }, [width, height, fitted, refit]);
  return useCallback(() => {
    fitted.current = false;
  }, [fitted]);
};
