// What is wrong on the table of a review: cut, covered, or out of its place.
() => {
  const box = element => element.getBoundingClientRect();
  const ground = document.querySelector('.ground');
  const shown = element => element.checkVisibility({ visibilityProperty: true }) && box(element).width > 1;
  const all = (what, within = ground) => [...within.querySelectorAll(what)].filter(shown);
  const meet = (a, b) => a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  const name = element => element.innerText || element.closest('[data-card]')?.dataset.card;
  const wrong = [];
  const room = box(ground);
  for (const thing of all('.plate, [data-card] img')) {
    const { left, right, bottom } = box(thing);
    if (left < room.left - 2 || right > room.right + 2 || bottom > room.bottom + 2) wrong.push(`out of the table: ${name(thing)}`);
  }
  for (const word of all('.plate .name, .plate .tag')) {
    if (word.scrollWidth > word.clientWidth + 1) wrong.push(`cut: ${name(word)}`);
  }
  for (const word of all('.plate .tag, .plate .score')) {
    if (box(word).right > box(word.closest('.plate')).right + 1) wrong.push(`leaves its plate: ${name(word)}`);
  }
  // A name gives way as a whole, and is not shortened.
  const captions = all('.caption .inner').filter(words => words.innerText.trim());
  for (const words of captions) {
    if (getComputedStyle(words).textOverflow === 'ellipsis') wrong.push(`shortened: ${name(words)}`);
    const beside = all('[data-card] img').filter(card => !words.closest('.zone').contains(card));
    if (beside.some(card => meet(box(words), box(card)))) wrong.push(`on a card: ${name(words)}`);
  }
  captions.forEach((one, n) => captions.slice(n + 1).forEach(other => {
    if (meet(box(one), box(other))) wrong.push(`on each other: ${name(one)} and ${name(other)}`);
  }));
  const places = all('[data-seat], .centre');
  const things = places.map(place => all('[data-card] img, .plate', place).map(box));
  things.forEach((some, n) => things.slice(n + 1).forEach((others, m) => {
    if (some.some(a => others.some(b => meet(a, b)))) wrong.push(`${places[n].ariaLabel} on ${places[n + 1 + m].ariaLabel}`);
  }));
  const scrubber = box(ground.querySelector('.prompt'));
  if (all('.zones [data-card] img').some(card => meet(box(card), scrubber))) wrong.push('cards under the scrubber');
  return [...new Set(wrong)];
}
