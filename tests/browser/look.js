// What is wrong on the table now, and where the fixed things are: they must never jump.
() => {
  const wrong = [];
  const box = element => element.getBoundingClientRect();
  const table = document.querySelector('[data-screen=table], [data-screen=learn]');
  if (!table || document.querySelector('dialog[open]')) return null;
  const ground = table.querySelector('.ground');
  const name = element => element.dataset.card ?? element.dataset.seat ?? element.className;
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  const strip = table.querySelector('.prompt .strip');
  const prompt = table.querySelector('.prompt');
  if ('due' in table.dataset && !table.querySelector('.flying')) {
    if (!table.querySelector('[data-tap]')) wrong.push('my turn, and nothing is lit up');
    if (!strip.innerText.trim()) wrong.push('my turn, and the prompt says nothing');
  }
  const inside = (element, what, slack = 2) => {
    const b = box(element);
    const out = b.left < -slack || b.right > innerWidth + slack || b.top < -slack;
    if (b.width && out) wrong.push(`${what} is clipped: ${name(element)} at ${Math.round(b.left)}, ${Math.round(b.top)}`);
  };
  for (const plate of table.querySelectorAll('.plate')) inside(plate, 'a plate');
  for (const card of ground.querySelectorAll('.zones [data-card]')) inside(card, 'a card');
  for (const card of table.querySelectorAll('.hand [data-card]')) inside(card, 'a card of the hand');
  const p = box(prompt), s = box(strip);
  for (const card of ground.querySelectorAll('.zones [data-card] img')) {
    const b = box(card);
    // What is asked may need more room than is kept for it.
    const top = b.left < s.right && b.right > s.left ? Math.min(p.top, s.top) : p.top;
    if (b.width && b.bottom > top + 6 && b.top < p.bottom) wrong.push(`a card lies under the prompt: ${name(card.parentElement)} ${Math.round(b.bottom)} > ${Math.round(top)}`);
  }
  // What is to be chosen by words must not cover what one decides about.
  const words = table.querySelector('.prompt .groups');
  if (words) {
    for (const card of ground.querySelectorAll('.zones [data-card] img')) {
      const b = box(card);
      if (b.width && b.bottom > s.top + 6 && b.top < s.bottom && b.left < s.right && b.right > s.left) wrong.push(`words cover a card: ${name(card.parentElement)} ${Math.round(b.bottom)} > ${Math.round(s.top)}`);
    }
    for (const button of words.querySelectorAll('[data-tap]')) {
      const b = box(button);
      const top = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
      if (!button.contains(top)) wrong.push(`a word is covered: ${button.dataset.actionButton} by ${top?.className}`);
      if (b.width < 43.5 || b.height < 43.5) wrong.push(`a word is small: ${button.dataset.actionButton}, ${b.width.toFixed(1)} by ${b.height.toFixed(1)}`);
    }
  }
  const plates = [...table.querySelectorAll('.plate')].map(box);
  plates.forEach((a, i) => plates.slice(i + 1).forEach(b => {
    if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2) wrong.push('two plates lie over each other');
  }));
  for (const said of table.querySelectorAll('.plate .line > *')) {
    const b = box(said), plate = box(said.closest('.plate'));
    if (b.width > 1 && (b.right > plate.right + 1 || b.left < plate.left - 1)) wrong.push(`what a plate says leaves it: ${said.innerText}`);
  }
  // A tag is whole, or gives way to another.
  for (const tag of table.querySelectorAll('.plate .tag')) {
    if (tag.checkVisibility() && tag.scrollWidth > tag.clientWidth + 1) wrong.push(`a tag is cut: ${tag.innerText}`);
  }
  // Held upright, what somebody has just done stands on their own plate; words that need more width take that of their seat.
  for (const bubble of innerWidth < innerHeight ? table.querySelectorAll('.bubble') : []) {
    const b = box(bubble), plate = box(bubble.parentElement);
    const wide = bubble.classList.contains('words') ? box(bubble.closest('.seat')) : plate;
    if ([...bubble.children].some(said => said.scrollWidth > said.clientWidth + 1)) wrong.push(`a bubble is cut: ${bubble.innerText}`);
    if (b.left < wide.left - 4 || b.right > wide.right + 4 || b.top < plate.top - 4 || b.bottom > plate.bottom + 4) wrong.push(`a bubble leaves its plate: ${bubble.innerText}`);
  }
  const fixed = {};
  for (const plate of table.querySelectorAll('[data-seat] .plate')) {
    const b = box(plate);
    // A plate grows with what it says, from its middle.
    fixed[`plate ${plate.closest('[data-seat]').dataset.seat}`] = [b.top, plate.closest('[data-seat]').classList.contains('own') ? 0 : (b.left + b.right) / 2];
  }
  fixed.prompt = [p.bottom, p.top];
  const hand = table.querySelector('.hand');
  if (hand) fixed.hand = [box(hand).top, box(hand).bottom];
  return { wrong, fixed };
}
