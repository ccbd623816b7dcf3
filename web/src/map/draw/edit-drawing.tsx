import { useEffect } from 'react';
import { edited } from './tool.ts';

/** Gives the bar of a drawing the focus. */
export const EditDrawing = ({ id, onClose }: { id: string; onClose: () => void }): null => {
  useEffect(() => {
    edited.set(id);
    onClose();
  }, [id, onClose]);
  return null;
};
