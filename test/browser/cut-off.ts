/**
 * A script for the page that answers what of it nobody can get to: what lies outside of the window or of what clips it, where nothing
 * scrolls; what is written in a button and does not fit in; and a page that scrolls as a whole. The map is panned, and terminals scroll by
 * themselves.
 */
export const CUT_OFF = `(() => {
  const SEEN = 'button, a[href], input, select, textarea, summary, h1, h2, h3, label, p, th, [role=tab], [role^=menuitem], [role=slider]';
  const SKIPPED = '.react-flow__viewport *, .react-flow__minimap *, .xterm *, .visually-hidden, .visually-hidden *, [aria-hidden=true], [aria-hidden=true] *';
  const PRESSED = 'button, a.button, [role=tab], [role^=menuitem], summary';
  const found = [];
  const sayOf = (e) => (e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 40) + ' <' + e.tagName.toLowerCase() + ' ' + (e.getAttribute('class') ?? '') + '>';
  const isHidden = (e) => !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || (e.offsetWidth <= 1 && e.offsetHeight <= 1);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push('scrolls sideways: ' + root.scrollWidth + ' px');
  if (root.scrollHeight > innerHeight) found.push('scrolls as a whole: ' + root.scrollHeight + ' px');
  const clipperOf = (e) => {
    const { position } = getComputedStyle(e);
    return position === 'fixed' ? null : position === 'absolute' ? e.offsetParent : e.parentElement;
  };
  const reach = (e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    const box = { left, top, right, bottom };
    for (let at = clipperOf(e); at !== null && at !== root && at !== document.body; at = clipperOf(at)) {
      const style = getComputedStyle(at);
      const rect = at.getBoundingClientRect();
      for (const [overflow, from, to, scrolled] of [
        [style.overflowX, 'left', 'right', at.scrollLeft],
        [style.overflowY, 'top', 'bottom', at.scrollTop],
      ]) {
        if (overflow === 'visible') continue;
        const isScrolled = overflow === 'auto' || overflow === 'scroll';
        const isCut = isScrolled ? box[from] + scrolled < rect[from] - 1.5 : box[from] < rect[from] - 1.5 || box[to] > rect[to] + 1.5;
        if (isCut) return 'is cut off by ' + sayOf(at);
        if (!isScrolled) continue;
        box[from] = Math.max(rect[from], Math.min(box[from], rect[to]));
        box[to] = Math.min(rect[to], Math.max(box[to], rect[from]));
      }
      // It lies over everything else.
      if (style.position === 'fixed' || at.matches('dialog')) break;
    }
    const isOut = box.left < -1.5 || box.top < -1.5 || box.right > innerWidth + 1.5 || box.bottom > innerHeight + 1.5;
    return isOut ? 'is outside of the window: ' + Object.values(box).map(Math.round) : null;
  };
  const clipped = (e) => {
    const outer = e.getBoundingClientRect();
    const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (text.data.trim() === '' || parent.matches(SKIPPED) || isHidden(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      // What is shortened has all of it in its title.
      const { textOverflow } = getComputedStyle(parent);
      if (textOverflow === 'ellipsis' && parent.closest('[title]') !== null) continue;
      const inner = getComputedStyle(parent).overflowX === 'visible' ? outer : parent.getBoundingClientRect();
      if (left < inner.left - 1.5 || right > inner.right + 1.5 || top < inner.top - 2.5 || bottom > inner.bottom + 2.5) return true;
    }
    return false;
  };
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  for (const e of modal.querySelectorAll(SEEN)) {
    if (e.matches(SKIPPED) || isHidden(e) || e.closest('[inert]') !== null) continue;
    const lost = reach(e);
    if (lost !== null) found.push(sayOf(e) + ' ' + lost);
    else if (e.matches(PRESSED) && clipped(e)) found.push('the text of ' + sayOf(e) + ' is cut off');
  }
  return [...new Set(found)];
})()`;
