"""What a designer asks of a game: `kibitz report`.

`kibitz.lab.self_play` plays matches and writes down what happened, `rules` counts where rules come
up, `figures` works out numbers from that, `words` says them in sentences, `table` sets them side by
side, `plots` draws them, `page` puts all on one page.
"""
