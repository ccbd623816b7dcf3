import { notify } from '../store/notices.ts';
import { t } from '../words/words.ts';

/** Puts text into the clipboard and says so. Pages that came without TLS from elsewhere are not let near it in the new way. */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyOldWay(text)) {
      notify('error', t('The browser does not let the page copy.'));
      return;
    }
  }
  notify('success', t('{what} copied.', { what }));
};

const copyOldWay = (text: string): boolean => {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without TLS
  const worked = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return worked;
};
