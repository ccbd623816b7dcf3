import { type ReactElement, useRef } from 'react';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import type { Shape } from './shapes.ts';
import { drawTool } from './tool.ts';
import { middleOfMap, usePictures } from './use-pictures.ts';

/** What can be drawn. At the button that asked, or in the middle of the map. */
export const DrawMenu = ({ onClose }: { onClose: () => void }): ReactElement => {
  const put = usePictures();
  const at = useRef(placeOf()).current;
  const tool = (text: string, shape: Shape, icon: NonNullable<MenuItem['icon']>): MenuItem => ({
    text,
    icon,
    onChoose: () => drawTool.set(shape),
  });
  const items: MenuItem[] = [
    tool(t('Rectangle'), 'rectangle', 'stop'),
    tool(t('Ellipse'), 'ellipse', 'record'),
    tool(t('Line'), 'line', 'minus'),
    tool(t('Freehand'), 'freehand', 'edit'),
    tool(t('Text'), 'text', 'text'),
    {
      text: t('Picture …'),
      icon: 'upload',
      startsGroup: true,
      onChoose: () => askForPicture((file) => void put(file, middleOfMap())),
    },
  ];
  return <Menu label={t('Draw')} at={at} items={items} onClose={onClose} />;
};

const placeOf = (): { x: number; y: number } => {
  const button = document.activeElement?.closest('.map button, [role=toolbar] button');
  const box = button?.getBoundingClientRect();
  return box === undefined ? middleOfMap() : { x: box.right + 4, y: box.top };
};

const askForPicture = (onFile: (file: File) => void): void => {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml';
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) onFile(file);
  });
  input.click();
};
