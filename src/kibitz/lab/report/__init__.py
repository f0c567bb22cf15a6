"""What a designer asks of a game: `kibitz report`.

`play` plays matches and writes down what happened, `rules` counts where rules come up, `figures`
works out numbers from that, `words` says them in sentences, `plots` draws them, `page` puts all
on one page.
"""
